import { expect, test } from 'bun:test'
import { insertDay, insertHistory, measure, sweepAfterDay, takeSample } from '../support/growth.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { watchService } from '../support/service-watch.ts'
import { startSources } from '../support/sources.ts'

/** Three per minute. */
const JOBS_PER_DAY = 3 * 60 * 24
/** In this process, which also runs the test. */
const MAX_RESPONSE_MS = 100

test.each([1, 30, 365])(
  'after %d days with three jobs per minute, lists are fast, and a sweep and a search delay nobody',
  async (days) => {
    await using sources = startSources()
    await using receiver = startReceiver()
    await using service = await startService({ 'rate-limit': ['0'] })
    await service.request('POST', '/webhooks', { body: { url: receiver.url() } })
    const urls = Array.from({ length: 10 }, (_, index) => sources.url(`/ok/file-${index}`))
    const job = await service.finishedJob(urls)
    await receiver.untilReceived(1)
    const sample = takeSample(service, job.id)
    const now = Date.now()
    insertHistory(service, sample, JOBS_PER_DAY, days - 1, now)
    insertDay(service, sample, JOBS_PER_DAY, now)
    await service.app.sweeper.sweepNow()
    // The memory of the service is that of this process, which also runs the test.
    const watch = await watchService({ address: service.origin, peakMemoryBytes: () => 0 })
    // The archives of the day expire.
    const sweepMs = (await sweepAfterDay(service)) + (await sweepAfterDay(service))
    const searchStartedMs = performance.now()
    const headers = { authorization: `Bearer ${service.key}` }
    const search = await fetch(`${service.origin}/jobs?search=no-such-name`, { headers })
    await search.arrayBuffer()
    const searchMs = performance.now() - searchStartedMs
    console.log(`The sweeps and a search of day ${days}: ${await watch.finish()}`)
    const growth = await measure(service, sweepMs)
    const slowest = Object.entries(growth.slowest).map(([path, ms]) => `${path} ${ms.toFixed(0)} ms`)
    console.log(
      `day ${days}: database ${(growth.databaseBytes / 1e6).toFixed(0)} MB, ${growth.jobs} jobs, ${growth.entries} entries, ` +
        `${growth.deliveries} deliveries, ${growth.archiveFiles} files, ${growth.logBytes} bytes of log; ` +
        `two sweeps ${growth.sweepMs.toFixed(0)} ms; ${slowest.join(', ')}; a search ${search.status} ${searchMs.toFixed(0)} ms`,
    )
    for (const [path, ms] of Object.entries(growth.slowest))
      expect([path, ms < MAX_RESPONSE_MS]).toEqual([path, true])
    // However long the history is, it does not keep its owner from creating jobs.
    const next = await service.request('POST', '/jobs', { body: { urls } })
    expect([next.status, next.body.error?.message]).toEqual([201, undefined])
  },
  3600_000,
)
