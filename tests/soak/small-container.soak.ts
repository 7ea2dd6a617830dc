import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { type Client, signInOwner } from '../support/client.ts'
import { EXECUTABLE, type Holdall, startHoldall } from '../support/executable.ts'
import { startGzipBomb } from '../support/gzip-bomb.ts'
import { limitMemory, type MemoryLimit } from '../support/memory-limit.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type ServiceWatch, watchService } from '../support/service-watch.ts'

const CONTAINER_BYTES = 128 * 1024 * 1024
const TIMEOUT_MS = 120_000

describe('In a container of 128 MB', () => {
  const stack = new AsyncDisposableStack()
  let limit: MemoryLimit
  let origin: Origin
  let holdall: Holdall
  let client: Client
  /** One for all tests, since each alone has too few responses for a percentile. */
  let watch: ServiceWatch

  beforeAll(async () => {
    limit = stack.use(limitMemory(CONTAINER_BYTES))
    // Who first reads the executable pays for its pages. This process does, as if another container ran the same image: see
    // server/decisions/memory.md.
    await Bun.file(EXECUTABLE).bytes()
    origin = stack.use(await startOrigin())
    const prepare = (dir: string) => writeFileSync(`${dir}/plans.json`, '{"pro":{"max_zip_bytes":500000000}}')
    const args = ['--plans', 'plans.json', '--rate-limit', '0']
    holdall = stack.use(await startHoldall({ args, under: limit.under, prepare }))
    client = await signInOwner(holdall)
    watch = await watchService(holdall)
  })
  afterAll(async () => {
    await stack.disposeAsync()
  })

  test.each([
    ['2,000 URLs of 20 KB', 2_000, '/bytes/20000'],
    ['100 bodies of 900 KB of unknown length', 100, '/bytes/900000?framing=chunked'],
    ['200 texts of 60 KB', 200, '/bytes/60000?type=text/plain'],
    ['3 bodies of 100 MB', 3, '/bytes/100000000'],
  ])(
    '%s are packed',
    async (_what, count, target) => {
      const separator = target.includes('?') ? '&' : '?'
      const urls = Array.from({ length: count }, (_, index) => origin.url(`${target}${separator}${index}`))
      const job = await client.untilEnded(await client.createJob({ urls }), TIMEOUT_MS)
      expect(job).toMatchObject({ status: 'completed', file_count: count })
      expect(limit.kills()).toBe(0)
    },
    TIMEOUT_MS,
  )

  test(
    'a body that decodes to 10 GB fails its job at the size limit',
    async () => {
      await using bomb = startGzipBomb(10e9)
      const job = await client.untilEnded(await client.createJob({ urls: [bomb.url] }), TIMEOUT_MS)
      expect(job.failure?.code).toBe('ZIP_SIZE_EXCEEDED')
      expect(limit.kills()).toBe(0)
    },
    TIMEOUT_MS,
  )

  test('nobody waits meanwhile', async () => {
    console.log(`A container of 128 MB: ${await watch.finish()}`)
  })
})
