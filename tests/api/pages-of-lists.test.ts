import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { type ReplyBody, startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const sources = forFile(startSources())
const service = forFile(await startService())

const get = (path: string) => service.request('GET', path)
const namesOf = (items: readonly { name?: string; url?: string }[]) =>
  items.map(({ name, url }) => name ?? url)

/** All items of a list, in pages of two. */
async function inPages(path: string, list: string): Promise<ReplyBody[]> {
  const items: ReplyBody[] = []
  for (let cursor = ''; ; ) {
    const { body } = await get(`${path}?limit=2${cursor}`)
    expect(body[list].length).toBeWithin(1, 3)
    expect(body.meta).toMatchObject({ limit: 2, has_more: body.meta.next_cursor !== null })
    items.push(...body[list])
    if (!body.meta.has_more) return items
    cursor = `&cursor=${body.meta.next_cursor}`
  }
}

describe('Lists of users, keys, webhooks, notifiers and sites have pages', () => {
  test.each<[string, string, (index: number) => object]>([
    ['/users', 'users', (index) => ({ name: `user ${index}` })],
    ['/api-keys', 'api_keys', (index) => ({ name: `key ${index}` })],
    ['/webhooks', 'webhooks', (index) => ({ url: `https://127.0.0.1:9/${index}` })],
    ['/notifiers', 'notifiers', (index) => ({ kind: 'ntfy', url: `https://127.0.0.1:9/${index}` })],
    [
      '/sites',
      'sites',
      (index) => ({ origin: `https://${index}.example.org`, headers: [{ name: 'X-Key', value: 'a' }] }),
    ],
  ])('%s', async (path, list, settings) => {
    for (let index = 0; index < 5; index++) await service.request('POST', path, { body: settings(index) })
    const { body } = await get(path)
    const total = body[list].length
    expect(body.meta).toEqual({ limit: 100, total, next_cursor: null, has_more: false })
    expect(total).toBeGreaterThanOrEqual(5)
    expect(namesOf(await inPages(path, list))).toEqual(namesOf(body[list]))
    expect((await get(`${path}?limit=101`)).status).toBe(400)
  })

  test('which stay in their places while others are created and deleted', async () => {
    const created: string[] = []
    for (let index = 0; index < 4; index++) {
      const { body } = await service.request('POST', '/api-keys', { body: { name: `place ${index}` } })
      created.push(body.api_key.id)
    }
    const first = (await get('/api-keys?limit=2')).body
    await service.request('POST', '/api-keys', { body: { name: 'new' } })
    await service.request('DELETE', `/api-keys/${created[2]}`)
    const second = (await get(`/api-keys?limit=1&cursor=${first.meta.next_cursor}`)).body
    expect(second.api_keys[0].id).toBe(created[1])
  })
})

test('A cursor belongs to its list: that of another list, job, webhook or user is INVALID_REQUEST', async () => {
  const other = await service.addUser('other')
  const webhooks: string[] = []
  for (const path of ['a', 'b']) {
    const { body } = await service.request('POST', '/webhooks', {
      body: { url: `https://127.0.0.1:9/${path}` },
    })
    webhooks.push(body.webhook.id)
    for (let count = 0; count < 2; count++) await service.request('POST', `/webhooks/${body.webhook.id}/test`)
  }
  const jobs: string[] = []
  for (const key of [service.key, service.key, other, other]) {
    const job = await service.finishedJob([sources.url('/ok/a'), sources.url('/ok/b')], {}, key)
    jobs.push(job.id)
  }
  await service.request('POST', '/users', { body: { name: 'third' } })
  const site = { origin: 'https://example.org', headers: [{ name: 'X-Key', value: 'a' }] }
  for (let count = 0; count < 2; count++) await service.request('POST', '/sites', { body: site })
  const tokenOf = async (id: string | undefined) =>
    new URL((await get(`/jobs/${id}`)).body.job.download_url).pathname
  const lists: [path: string, key: string | undefined][] = [
    ['/jobs', undefined],
    ['/jobs', other],
    [`/jobs/${jobs[0]}/entries`, undefined],
    [`/jobs/${jobs[1]}/entries`, undefined],
    [`${await tokenOf(jobs[0])}/entries`, undefined],
    [`/webhooks/${webhooks[0]}/deliveries`, undefined],
    [`/webhooks/${webhooks[1]}/deliveries`, undefined],
    ['/webhooks', undefined],
    ['/notifiers', undefined],
    ['/api-keys', undefined],
    ['/users', undefined],
    ['/sites', undefined],
  ]
  const read = (index: number, query: string) => {
    const [path, key] = lists[index] ?? ['', undefined]
    return service.request('GET', `${path}?limit=1${query}`, key === undefined ? {} : { key })
  }
  for (const [of] of lists.entries()) {
    const { next_cursor } = (await read(of, '')).body.meta
    expect([of, next_cursor]).toEqual([of, expect.any(String)])
    for (const [at] of lists.entries()) {
      const { status, body } = await read(at, `&cursor=${next_cursor}`)
      expect([of, at, status, body.error?.code]).toEqual(
        at === of ? [of, at, 200, undefined] : [of, at, 400, 'INVALID_REQUEST'],
      )
    }
  }
})

test('A page of entries has the same entries whatever their status is, and however long their URLs are', async () => {
  const urls = Array.from({ length: 150 }, (_, index) =>
    sources.url(`${index % 3 === 0 ? '/404' : '/ok/a'}?${index}`).padEnd(8_000, 'x'),
  )
  const job = await service.finishedJob(urls, { fail_on_url_error: false })
  const all = (await get(`/jobs/${job.id}/entries?limit=1000`)).body
  expect(all.entries.map(({ url }: { url: string }) => url)).toEqual(urls)
  expect(all.meta).toEqual({ limit: 1000, total: 150, next_cursor: null, has_more: false })
  const failed = (await get(`/jobs/${job.id}/entries?limit=30&status=failed`)).body
  expect(failed.meta).toMatchObject({ total: 50, has_more: true })
  const rest = (await get(`/jobs/${job.id}/entries?status=failed&cursor=${failed.meta.next_cursor}`)).body
  expect([...failed.entries, ...rest.entries].map(({ position }: { position: number }) => position)).toEqual(
    Array.from({ length: 50 }, (_, index) => 3 * index),
  )
})

test.each([1e30, 5_184_001, -1e30, 0])('expires_in %p names the limit of the request', async (seconds) => {
  const body = { urls: [sources.url('/ok/a')], expires_in: seconds }
  const reply = await service.request('POST', '/jobs', { body })
  expect([reply.status, reply.body.error.issues]).toEqual([
    400,
    [
      {
        path: 'expires_in',
        message: seconds > 0 ? 'must be at most 5184000' : 'must be at least 300',
      },
    ],
  ])
})
