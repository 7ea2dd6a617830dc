import { wan } from '../wan/measurements.ts'
import { burst } from './burst.ts'
import { growth } from './growth.ts'
import { jobsAtOnce } from './jobs-at-once.ts'
import type { Measurement } from './measurement.ts'
import { memory } from './memory.ts'
import { packings } from './packings.ts'
import { serving } from './serving.ts'
import { start, version } from './start.ts'
import { tinyBehind, tinyIdle } from './tiny-job.ts'

/** All measurements, in their order. */
export const MEASUREMENTS: readonly Measurement[] = [
  ...packings,
  ...memory,
  jobsAtOnce,
  tinyIdle,
  tinyBehind,
  burst,
  start,
  version,
  ...serving,
  ...growth,
  ...wan,
]
