/**
 * `bun run seed [DIR]`: makes a data directory with an archive in every state, and with keys, users and webhooks: those of
 * the screenshots. By default it is the data directory of `bun run dev`.
 */
import { cpSync, existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { startSampleService } from '../ui/sample-service.ts'
import { DATA_DIR, SOURCES_PORT } from './places.ts'

const dir = resolve(process.argv[2] ?? DATA_DIR)
const shown = relative(process.cwd(), dir) || dir
if (existsSync(dir)) {
  console.error(`${shown} exists already. Delete it first, or name another directory.`)
  process.exit(1)
}
await using service = await startSampleService(SOURCES_PORT)
await service.holdall.stop()
cpSync(service.holdall.dataDir, dir, { recursive: true })
console.log(`${shown} has an archive in every state. \`bun run dev\` shows them.`)
