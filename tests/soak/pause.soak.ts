import { expect, test } from 'bun:test'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'

const PAUSE_MS = 40_000
const TEST_TIMEOUT_MS = 300_000

test(
  'a job completes with all its URLs although the service is paused for 40 s',
  async () => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall()
    const client = await signInOwner(holdall)
    // Eight URLs, because a host starts with eight connections.
    const slow = Array.from({ length: 4 }, (_, n) =>
      origin.url(`/bytes/200000/slow-${n}?bytes_per_second=20000`),
    )
    const late = Array.from({ length: 4 }, (_, n) => origin.url(`/bytes/1000/late-${n}?delay_ms=45000`))
    const jobId = await client.createJob({ urls: [...slow, ...late] })
    await client.until(jobId, ({ status }) => status === 'processing')
    await Bun.sleep(2_000)
    process.kill(holdall.pid, 'SIGSTOP')
    await Bun.sleep(PAUSE_MS)
    process.kill(holdall.pid, 'SIGCONT')
    const job = await client.untilEnded(jobId, TEST_TIMEOUT_MS)
    expect(job).toMatchObject({ status: 'completed', file_count: 8 })
  },
  TEST_TIMEOUT_MS,
)
