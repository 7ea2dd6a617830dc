import { describe, expect, test } from 'bun:test'
import { createHoldallClient, HoldallError, type JobEvent } from '../../server/client/client.ts'
import { forFile } from '../support/for-file.ts'
import { openForwarder } from '../support/forwarder.ts'
import { startService } from '../support/service.ts'
import { startSite } from '../support/site.ts'
import { startSources } from '../support/sources.ts'

const sources = forFile(startSources())
const service = forFile(await startService())
const forwarder = forFile(await openForwarder(() => service.origin))
const client = createHoldallClient({ url: `${forwarder.origin}/`, key: service.key })

describe('A client', () => {
  test('creates a job from URLs, waits for it and gets it', async () => {
    const urls = [sources.url('/ok/a'), sources.url('/ok/b')]
    const { id } = await client.createJob({ urls, zip_filename: 'pages', metadata: { order: '7' } })
    const job = await client.waitForJob(id)
    expect(job).toMatchObject({ id, status: 'completed', urls, zip_filename: 'pages.zip', file_count: 2 })
    expect(await client.getJob(id)).toEqual(job)
  })

  test('creates a job from files with names', async () => {
    const files = [{ url: sources.url('/ok/a'), filename: '2024/report.txt' }]
    const job = await client.waitForJob((await client.createJob({ files })).id)
    expect(job.files).toEqual(files)
  })

  test('tells what was ignored of a job, although it looks like a known field', async () => {
    // A program without types, or with a name that it has read somewhere else.
    const misspelt = { urls: [sources.url('/ok/a')], ...{ zipFilename: 'pages' } }
    const { id, hints } = await client.createJob(misspelt)
    expect(hints).toEqual([{ path: 'zipFilename', message: expect.stringContaining('zip_filename') }])
    expect((await client.waitForJob(id)).zip_filename).not.toBe('pages.zip')
  })

  test('lists jobs in pages', async () => {
    const key = await service.addUser('lister')
    const lister = createHoldallClient({ url: forwarder.origin, key })
    const ids = [(await lister.createJob({ urls: [sources.url('/ok/a')] })).id]
    ids.unshift((await lister.createJob({ urls: [sources.url('/ok/a')] })).id)
    for (const id of ids) await lister.waitForJob(id)
    const first = await lister.listJobs({ limit: 1, status: 'completed' })
    const second = await lister.listJobs({ limit: 1, cursor: first.meta.next_cursor ?? '' })
    expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual(ids)
    expect([first.meta.total, second.meta.has_more]).toEqual([2, false])
    expect((await lister.listJobs()).jobs).toHaveLength(2)
  })

  test('finds the links of a page, and fails with the reason if it can’t be fetched', async () => {
    await using site = startSite({ '/': '<title>T</title><a href="a.pdf">A</a>' })
    const { title, links } = await client.findLinks(site.url('/'))
    expect(title).toBe('T')
    expect(links).toEqual([{ url: site.url('/a.pdf'), name: 'a.pdf', text: 'A', kind: 'document' }])
    await expect(client.findLinks(site.url('/gone'), { folders: true })).rejects.toMatchObject({
      code: 'PAGE_NOT_FETCHED',
    })
  })

  test('checks URLs one by one, until it stops', async () => {
    const urls = [sources.url('/ok/a'), sources.url('/gone')]
    const results = await Array.fromAsync(client.probe({ urls }))
    expect(results.map(({ position, error }) => [position, error]).sort()).toEqual([
      [0, null],
      [1, 'HTTP 404'],
    ])
    await using slow = startSources()
    for await (const { position } of client.probe({ urls: [slow.url('/ok/a'), slow.url('/slow')] })) {
      expect(position).toBe(0)
      break
    }
  })

  test('renames the archive of a job', async () => {
    const { id } = await client.waitForJob((await client.createJob({ urls: [sources.url('/ok/a')] })).id)
    expect((await client.changeJob(id, { zip_filename: 'renamed' })).zip_filename).toBe('renamed.zip')
  })

  test('saves, lists, changes and deletes a site, and gives headers to one job', async () => {
    const headers = [{ name: 'X-Key', value: 'a' }]
    const site = await client.createSite({ origin: 'https://example.org', headers })
    expect((await client.listSites({ limit: 1 })).sites).toEqual([site])
    expect((await client.changeSite(site.id, { name: 'Mine' })).name).toBe('Mine')
    await client.deleteSite(site.id)
    await expectError(client.changeSite(site.id, { name: 'Mine' }), 'NOT_FOUND', 404)
    const urls = [sources.url('/ok/a')]
    const { id } = await client.createJob({ urls, headers: [{ origin: 'https://example.org', headers }] })
    expect((await client.waitForJob(id)).headers).toEqual([
      { origin: 'https://example.org', header_names: ['X-Key'] },
    ])
  })

  test('creates, lists, changes, tests and deletes a notifier', async () => {
    const url = 'https://127.0.0.1:9/topic'
    const notifier = await client.createNotifier({ kind: 'ntfy', url, token: 'tk_a' })
    expect(notifier).toMatchObject({ kind: 'ntfy', url, has_token: true, on: ['completed', 'failed'] })
    expect(await client.listNotifiers({ limit: 1 })).toMatchObject({
      notifiers: [notifier],
      kinds: ['webhook', 'ntfy'],
    })
    expect((await client.changeNotifier(notifier.id, { on: ['failed'] })).on).toEqual(['failed'])
    await client.testNotifier(notifier.id)
    await client.deleteNotifier(notifier.id)
    await expectError(client.testNotifier(notifier.id), 'NOT_FOUND', 404)
  })

  test('cancels, retries and deletes a job', async () => {
    await using own = startSources()
    const { id } = await client.createJob({ urls: [own.url('/slow'), own.url('/ok/a')] })
    await client.cancelJob(id)
    expect((await client.waitForJob(id)).failure?.code).toBe('CANCELLED')
    own.release()
    await client.retryJob(id, { from_checkpoint: false })
    expect((await client.waitForJob(id)).status).toBe('completed')
    await client.deleteJob(id)
    await expectError(client.getJob(id), 'NOT_FOUND', 404)
  })
})

describe('The events of a job', () => {
  test('are a snapshot, progress and entries, and at last the end', async () => {
    await using own = startSources()
    // Both wait for the snapshot: of a file that is there by then, no event follows.
    const { id } = await client.createJob({ urls: [own.url('/slow'), own.url('/slow?2')] })
    const events: JobEvent[] = []
    for await (const event of client.followJob(id)) {
      events.push(event)
      own.release()
    }
    expect(events[0]).toMatchObject({ name: 'snapshot', data: { id } })
    expect(events.at(-1)).toMatchObject({ name: 'end', data: { id, status: 'completed' } })
    const stored = events.filter(({ name, data }) => name === 'entry' && data.status === 'stored')
    expect(stored).toHaveLength(2)
    expect(events.some(({ name }) => name === 'progress')).toBe(true)
  })

  test('continue with another snapshot when the connection breaks', async () => {
    await using own = startSources()
    const { id } = await client.createJob({ urls: [own.url('/slow')] })
    let snapshots = 0
    for await (const { name, data } of client.followJob(id)) {
      if (name === 'snapshot') snapshots++
      if (name === 'snapshot' && snapshots === 1) forwarder.breakAll()
      if (name === 'snapshot' && snapshots === 2) own.release()
      if (name === 'end') expect(data.status).toBe('completed')
    }
    expect(snapshots).toBe(2)
  })

  test('continue when the service restarts', async () => {
    await using own = await startService()
    using address = await openForwarder(() => own.origin)
    await using slow = startSources()
    const follower = createHoldallClient({ url: address.origin, key: own.key })
    const { id } = await follower.createJob({ urls: [slow.url('/slow')] })
    const events = follower.followJob(id)
    expect((await events.next()).value).toMatchObject({ name: 'snapshot' })
    await own.restart()
    slow.release()
    expect((await Array.fromAsync(events)).at(-1)).toMatchObject({
      name: 'end',
      data: { status: 'completed' },
    })
  })

  test('end with NOT_FOUND when the job is deleted', async () => {
    const { id } = await client.createJob({ urls: [sources.url('/slow')] })
    const waiting = client.waitForJob(id)
    await client.deleteJob(id)
    await expectError(waiting, 'NOT_FOUND', 404)
  })

  test('end with the reason of the signal', async () => {
    const { id } = await client.createJob({ urls: [sources.url('/slow')] })
    const stop = new AbortController()
    const reason = new Error('enough')
    const events = client.followJob(id, { signal: stop.signal })
    await events.next()
    stop.abort(reason)
    await expect(Array.fromAsync(events)).rejects.toBe(reason)
    await client.deleteJob(id)
  })
})

describe('An error', () => {
  test('has the code, status, message and issues of the service', async () => {
    const error = await expectError(
      client.createJob({ urls: ['ftp://x', 'nothing'] }),
      'INVALID_REQUEST',
      400,
    )
    expect(error.message).toContain('http or https')
    expect(error.issues.map(({ path }) => path)).toEqual(['urls.0', 'urls.1'])
  })

  test('of a wrong key is UNAUTHORIZED, also for events', async () => {
    const stranger = createHoldallClient({ url: forwarder.origin, key: 'hold_wrong' })
    await expectError(stranger.listJobs(), 'UNAUTHORIZED', 401)
    await expectError(stranger.waitForJob(crypto.randomUUID()), 'UNAUTHORIZED', 401)
  })

  test('of a full service says how long to wait', async () => {
    await using limited = await startService({ 'rate-limit': ['1'] })
    const key = await limited.addUser('busy')
    limited.stopClock()
    const busy = createHoldallClient({ url: limited.origin, key })
    await busy.listJobs()
    const error = await expectError(busy.listJobs(), 'RATE_LIMITED', 429)
    expect(error.retryAfterSeconds).toBe(60)
  })

  test('of a service that does not run is UNREACHABLE', async () => {
    const nowhere = createHoldallClient({ url: 'http://127.0.0.1:1', key: service.key })
    await expectError(nowhere.getJob(crypto.randomUUID()), 'UNREACHABLE', null)
  })

  test.each([
    [502, '<h1>Bad gateway</h1>'],
    [200, '<h1>Welcome</h1>'],
  ])('of another program that responds %d is UNREADABLE', async (status, body) => {
    await using server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new Response(body, { status }),
    })
    const misled = createHoldallClient({ url: server.url.href, key: service.key })
    await expectError(misled.getJob(crypto.randomUUID()), 'UNREADABLE', status)
  })
})

async function expectError(promise: Promise<unknown>, code: string, status: number | null) {
  const error = await promise.catch((error) => error)
  if (!(error instanceof HoldallError)) throw new Error(`not a HoldallError: ${error}`)
  expect<[string, number | null]>([error.code, error.status]).toEqual([code, status])
  return error
}
