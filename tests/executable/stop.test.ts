import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { MAX_STOP_MS } from '../support/max-stop.ts'
import { startOrigin } from '../support/origin.ts'
import { until } from '../support/until.ts'

const JOBS = 8

test('A stop while eight jobs run ends before the system would kill the service, and each job resumes from its checkpoint at the next start', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const jobs = Array.from({ length: JOBS }, (_, n) => ({
    quick: `/bytes/200000/quick.bin?job=${n}`,
    large: `/bytes/9000000/large.bin?stall_at=6000000&times=1&job=${n}`,
  }))
  const jobIds = await Promise.all(
    jobs.map(({ quick, large }) => client.createJob({ urls: [origin.url(quick), origin.url(large)] })),
  )
  for (const jobId of jobIds) {
    await client.until(jobId, (job) => job.file_count === 1)
    // What was sent may not have been received.
    await until('5 MB have arrived', async () => (await receivedBytes(client, jobId)) >= 5_000_000)
  }

  const startedMs = performance.now()
  expect(await holdall.stop()).toBe(0)
  expect(performance.now() - startedMs).toBeLessThan(MAX_STOP_MS)

  await holdall.restart()
  for (const jobId of jobIds) {
    expect(await client.untilEnded(jobId)).toMatchObject({ status: 'completed', file_count: 2 })
  }
  for (const { quick, large } of jobs) {
    expect(origin.requests(quick)).toHaveLength(1)
    expect(origin.requests(large)[1]?.headers.get('range')).toMatch(/^bytes=[1-9]\d{5,}-$/)
  }
}, 120_000)

/** Of the second URL of a job. */
async function receivedBytes(client: Client, jobId: string): Promise<number> {
  const response = await client.request('GET', `/jobs/${jobId}/entries`)
  const { entries }: { entries: { size: number }[] } = JSON.parse(await response.text())
  return entries[1]?.size ?? 0
}

test('A terminal that closes stops the service as SIGTERM does, unless it was started by nohup', async () => {
  await using holdall = await startHoldall()
  process.kill(holdall.pid, 'SIGHUP')
  expect(await holdall.exited()).toBe(0)
  expect(existsSync(join(holdall.dataDir, 'service-origin'))).toBe(false)

  await using kept = await startHoldall({ under: ['sh', '-c', 'trap "" HUP; exec "$@"', 'sh'] })
  process.kill(kept.pid, 'SIGHUP')
  expect((await fetch(`${kept.address}/health`)).status).toBe(200)
  expect(await kept.stop()).toBe(0)
})
