import { describe, expect, test } from 'bun:test'
import { openServiceStore } from '../../server/admin/service-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { forFile } from '../support/for-file.ts'
import { plansOf } from '../support/query-plans.ts'
import { PROGRAM_FILES, startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

const sources = forFile(startSources())

describe('GET /service', () => {
  test('shows version, start, disk, stored bytes, jobs, queue and settings', async () => {
    await using service = await startService({ jobs: ['2'], 'metrics-token': ['a-token-of-the-metrics'] })
    service.setFreeBytes(() => 5e9)
    const archive = await service.finishedJob([sources.url('/ok/a')])
    const failed = await service.finishedJob([sources.url('/ok/b'), sources.url('/404')])
    const reply = await service.request('GET', '/service')
    const status = reply.body.service
    expect(status).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      disk: { free: 5e9, kept_free: 96 * 1024 * 1024 },
      archive_bytes: archive.zip_size,
      checkpoint_bytes: failed.zip_size,
      jobs: { pending: 0, processing: 0, completed: 1, failed: 1, total: 2, cancelled: 0 },
      queue_wait_seconds: 0,
      connections_in_use: 0,
      settings: { jobs: 2, connections: 64, listen: '127.0.0.1:0', allow_network: ['127.0.0.0/8'] },
      last_backup: null,
    })
    expect(status.disk.total).toBeGreaterThan(0)
    expect(Math.abs(Date.now() - Date.parse(status.started_at))).toBeLessThan(60_000)
    const text = JSON.stringify(reply.body)
    expect(text).not.toContain(service.dataDir)
    expect(text).not.toContain('a-token-of-the-metrics')
    expect(text).not.toContain(service.key)
  })

  test('shows how sources are fetched, without the password of the proxy', async () => {
    const service = forFile(
      await startService({
        proxy: ['http://ann:s3cret@proxy.example:3128'],
        'no-proxy': ['intranet.example'],
        timeout: ['30'],
        'user-agent': ['Archiver/2'],
        'limit-rate': ['20M'],
      }),
    )
    const { body } = await service.request('GET', '/service')
    expect(body.service.settings).toMatchObject({
      proxy: 'http://proxy.example:3128',
      no_proxy: 'intranet.example',
      ca: 0,
      timeout: 30,
      user_agent: 'Archiver/2',
      limit_rate: 20_000_000,
    })
    expect(JSON.stringify(body)).not.toContain('s3cret')
    expect(JSON.stringify(body)).not.toContain(btoa('ann:s3cret'))
  })

  test('no longer counts what was deleted or has expired', async () => {
    await using service = await startService()
    const job = await service.finishedJob([sources.url('/ok/a')])
    await service.finishedJob([sources.url('/ok/b'), sources.url('/404')], { expires_in: 300 })
    await service.request('DELETE', `/jobs/${job.id}`)
    service.advance(300_000)
    await service.app.sweeper.sweepNow()
    const status = (await service.request('GET', '/service')).body.service
    expect([status.archive_bytes, status.checkpoint_bytes]).toEqual([0, 0])
  })

  test('shows how long the oldest job waits for its first start, and the connections in use', async () => {
    await using service = await startService({ jobs: ['1'] })
    await using own = startSources()
    const create = async (path: string) => service.createJob({ urls: [own.url(path)] })
    const running = await create('/slow')
    await service.jobIn(running, ['processing'])
    const { created_at } = await service.jobIn(await create('/ok/a'), ['pending'])
    service.stopClock()
    service.advance(60_000)
    const waited = async () => (await service.request('GET', '/service')).body.service.queue_wait_seconds
    expect(await waited()).toBeGreaterThanOrEqual(60)
    expect(await waited()).toBeLessThanOrEqual(60 + (Date.now() - Date.parse(created_at)) / 1000)
    await until('a connection is in use', async () => {
      const { body } = await service.request('GET', '/service')
      return body.service.connections_in_use > 0
    })
    own.release()
    await service.jobIn(running, ['completed'])
    await until('no job waits', async () => (await waited()) === 0)
  })

  test('is answered from indexes, however many jobs there were', async () => {
    using dir = tempDir()
    using db = openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir)
    const plans = plansOf(dir.file('holdall.db'), (connection) => {
      const store = openServiceStore({ ...db, ...connection })
      return [store.storedBytes(), store.oldestUnstartedJobAt()]
    })
    expect(plans.filter((plan) => plan.includes(' jobs '))).toEqual([
      'SEARCH jobs USING INDEX jobs_to_sweep (expires_at>?)',
      'SEARCH jobs USING INDEX jobs_by_status (user_id=? AND status=?)',
    ])
  })
})
