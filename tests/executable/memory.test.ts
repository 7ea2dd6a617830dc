// test group: prompt
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signInOwner } from '../support/client.ts'
import { type HoldallOptions, startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'

const MAX_MEMORY_BYTES = 250_000_000
/** With many jobs, each of which has a thread of about 15 MB. */
const MAX_MEMORY_UNDER_STRAIN_BYTES = 300_000_000
const TEST_TIMEOUT_MS = 240_000

const planOf200MB: HoldallOptions = {
  args: ['--plans', 'plans.json'],
  prepare: (startDir) =>
    writeFileSync(join(startDir, 'plans.json'), JSON.stringify({ pro: { max_zip_bytes: 200_000_000 } })),
}

test.each([
  ['5,000 URLs of 20 KB', 5_000, '/bytes/20000'],
  ['600 bodies of 900 KB of unknown length', 600, '/bytes/900000?framing=chunked'],
  ['1,000 texts of 60 KB', 1_000, '/bytes/60000?type=text/plain'],
  ['400 texts of 900 KB', 400, '/bytes/900000?type=text/plain'],
  ['16 bodies that each decode from 30 KB to 30 MB', 16, '/gzip-bomb/30000000'],
])(
  '%s are packed in bounded memory',
  async (_what, count, target) => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall()
    const client = await signInOwner(holdall)
    const separator = target.includes('?') ? '&' : '?'
    const urls = Array.from({ length: count }, (_, index) => origin.url(`${target}${separator}${index}`))

    const job = await client.untilEnded(await client.createJob({ urls }))
    expect(job.failure).toBeUndefined()
    expect(job.file_count).toBe(count)
    expect(holdall.peakMemoryBytes()).toBeLessThan(MAX_MEMORY_BYTES)
  },
  TEST_TIMEOUT_MS,
)

test(
  'eight concurrent jobs with bodies of 900 KB and of unknown length share the memory of one job',
  async () => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall({ args: ['--jobs', '8'] })
    const client = await signInOwner(holdall)
    const jobIds = await Promise.all(
      Array.from({ length: 8 }, (_, job) => {
        const target = `/bytes/900000?framing=chunked&job=${job}`
        const urls = Array.from({ length: 200 }, (_, index) => origin.url(`${target}&${index}`))
        return client.createJob({ urls })
      }),
    )
    for (const jobId of jobIds) {
      const job = await client.untilEnded(jobId, TEST_TIMEOUT_MS)
      expect(job).toMatchObject({ status: 'completed', file_count: 200 })
    }
    expect(holdall.peakMemoryBytes()).toBeLessThan(MAX_MEMORY_UNDER_STRAIN_BYTES)
  },
  TEST_TIMEOUT_MS,
)

test(
  '32 endless bodies fail a job at its size limit, in bounded memory',
  async () => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall(planOf200MB)
    const client = await signInOwner(holdall)
    const urls = Array.from({ length: 32 }, (_, index) => origin.url(`/endless?${index}`))

    const job = await client.untilEnded(await client.createJob({ urls, fail_on_url_error: false }))
    expect(job.failure?.code).toBe('ZIP_SIZE_EXCEEDED')
    expect(holdall.peakMemoryBytes()).toBeLessThan(MAX_MEMORY_BYTES)
  },
  TEST_TIMEOUT_MS,
)
