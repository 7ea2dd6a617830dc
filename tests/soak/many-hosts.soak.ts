import { expect, test } from 'bun:test'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'

const MAX_MEMORY_BYTES = 300_000_000
const TEST_TIMEOUT_MS = 600_000

test.each([
  ['that can be resumed', ''],
  ['that must start over', '&etag=none'],
])(
  '5,000 hosts that repeatedly break off their bodies, %s, take bounded memory',
  async (_what, query) => {
    await using origin = await startOrigin('0.0.0.0')
    await using holdall = await startHoldall()
    const client = await signInOwner(holdall)
    const target = `/bytes/1000000?framing=chunked&cut_at=900000${query}`
    const urls = Array.from({ length: 5_000 }, (_, host) => origin.urlAtHost(host, `${target}&${host}`))

    const jobId = await client.createJob({ urls, fail_on_url_error: false })
    const job = await client.untilEnded(jobId, TEST_TIMEOUT_MS)
    expect(job.failure?.code).toBe('ALL_URLS_FAILED')
    expect(holdall.peakMemoryBytes()).toBeLessThan(MAX_MEMORY_BYTES)
  },
  TEST_TIMEOUT_MS,
)
