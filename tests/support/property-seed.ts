/**
 * Property tests take their random values from a fixed seed, so that two runs of one commit have one result.
 * `bun run fuzz` runs them with other seeds.
 */
import { configureGlobal } from 'fast-check'

const SEED = 20_260_101

configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? SEED) })
