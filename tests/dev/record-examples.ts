/** `bun run examples` makes the example calls of the API reference again, and writes them with their answers. */
import { join } from 'node:path'
import { recordExampleCalls } from '../support/example-calls/record.ts'

const PATH = join(import.meta.dir, '../../server/http/docs/examples/calls.jsonl')

const calls = await recordExampleCalls()
await Bun.write(PATH, calls.map((call) => `${JSON.stringify(call)}\n`).join(''))
console.log(`${calls.length} calls are in ${PATH}`)
