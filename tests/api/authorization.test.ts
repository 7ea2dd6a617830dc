import { describe, expect, test } from 'bun:test'
import type { OpenapiDocument } from '../../server/http/docs/openapi.ts'
import { forFile } from '../support/for-file.ts'
import { type Reply, startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { createWebhook } from '../support/webhooks.ts'

const sources = forFile(startSources())
const service = forFile(await startService())
const otherUsersKey = await service.addUser('other-user')
const wrongKeys = await makeWrongKeys()

/** Keys that must not work, by description. */
async function makeWrongKeys(): Promise<Readonly<Record<string, string | null>>> {
  const expiring = await service.request('POST', '/api-keys', {
    body: { expires_at: new Date(Date.now() + 60_000).toISOString() },
  })
  const revoked = await service.request('POST', '/api-keys')
  await service.request('DELETE', `/api-keys/${revoked.body.api_key.id}`)
  service.advance(61_000)
  return {
    'no key': null,
    'a malformed key': 'hold_x',
    'an unknown key': `hold_${'0'.repeat(49)}`,
    'an expired key': expiring.body.api_key.key,
    'a revoked key': revoked.body.api_key.key,
  }
}

/** The API reference lists all routes: a service with an undocumented route does not start. */
const routes = await documentedRoutes()

async function documentedRoutes() {
  const { paths }: OpenapiDocument = (await service.request('GET', '/openapi.json')).body
  return Object.entries(paths).flatMap(([template, operations]) => {
    const path = template.replace(/\{(\w+)\}/g, ':$1')
    return Object.entries(operations).map(([verb, { security }]) => {
      const method = verb.toUpperCase()
      return { route: `${method} ${path}`, method, path, isOpen: security?.length === 0 }
    })
  })
}

const BODIES: Readonly<Record<string, () => unknown>> = {
  'POST /jobs': () => ({ urls: [sources.url('/ok/a')] }),
  'POST /links': () => ({ url: sources.url('/ok/a') }),
  'POST /probe': () => ({ urls: [sources.url('/ok/a')] }),
  'POST /sign-in': () => ({ token: 'unknown' }),
  'POST /users': () => ({ name: `user-${crypto.randomUUID()}` }),
  'PATCH /users/:id': () => ({ plan: 'free' }),
  'PATCH /jobs/:id': () => ({ zip_filename: 'renamed' }),
  'POST /sites': () => ({ origin: 'https://example.org', headers: [{ name: 'X-Key', value: 'a' }] }),
  'PATCH /sites/:id': () => ({ name: 'renamed' }),
  'POST /webhooks': () => ({ url: WEBHOOK_URL }),
  'POST /schedules': () => ({
    name: 'Nightly',
    urls: [sources.url('/ok/a')],
    every: 'day',
    time_zone: 'UTC',
  }),
  'PATCH /schedules/:id': () => ({ name: 'Daily' }),
  'POST /notifiers': () => ({ kind: 'webhook', url: WEBHOOK_URL }),
  'PATCH /notifiers/:id': () => ({ on: ['failed'] }),
  'PATCH /service/settings': () => ({ jobs: 8 }),
}

/** What the service refuses for another reason than the key, by route. */
const REFUSALS: Readonly<Record<string, number[]>> = {
  // The file is no page.
  'POST /links': [422],
  // The job has no manifest.
  'GET /jobs/:id/manifest': [404],
  // A failed job cannot be cancelled.
  'POST /jobs/:id/cancel': [400],
  // There is none.
  'POST /service/settings/check-base-url': [400],
}

/** Nothing listens there. */
const WEBHOOK_URL = 'http://127.0.0.1:1/'

/** The path with the id of a new job, key or webhook, which is a notifier, of the owner, or with a new download token. */
async function ownPath(path: string): Promise<string> {
  if (path.startsWith('/download')) {
    const job = await service.finishedJob([sources.url('/ok/a')])
    return path
      .replace('/download/:token', new URL(job.download_url).pathname)
      .replace(':position', '0')
      .replace(/selection$/, '$&?positions=0')
  }
  if (!path.includes(':id')) return path
  if (/^\/(webhooks|notifiers)/.test(path)) return ownWebhookPath(path)
  return path.replace(':id', await newId(path))
}

async function ownWebhookPath(path: string): Promise<string> {
  // A user may have only 20 webhooks.
  for (const { id } of (await service.request('GET', '/webhooks')).body.webhooks)
    await service.request('DELETE', `/webhooks/${id}`)
  // A user may test webhooks only ten times per minute.
  service.advance(60_000)
  const { id } = await createWebhook(service, WEBHOOK_URL)
  const { delivery } = (await service.request('POST', `/webhooks/${id}/test`)).body
  return path.replace(':id', id).replace(':delivery_id', delivery.id)
}

async function newId(path: string): Promise<string> {
  if (path.startsWith('/jobs')) return (await service.finishedJob([sources.url('/404')])).id
  if (path.startsWith('/users')) {
    const body = { name: `user-${crypto.randomUUID()}` }
    return (await service.request('POST', '/users', { body })).body.user.id
  }
  if (path.startsWith('/sites')) {
    const body = BODIES['POST /sites']?.()
    return (await service.request('POST', '/sites', { body })).body.site.id
  }
  if (path.startsWith('/schedules')) {
    const body = BODIES['POST /schedules']?.()
    return (await service.request('POST', '/schedules', { body })).body.schedule.id
  }
  return (await service.request('POST', '/api-keys')).body.api_key.id
}

/** Routes that only the owner may call. */
const isOfOwner = (path: string) => path.startsWith('/users') || path.startsWith('/service')

/** Returns the status without reading the body, which may be an endless stream or a download. */
async function statusOf(method: string, path: string, key: string | null, body: unknown): Promise<number> {
  const abort = new AbortController()
  const response = await fetch(service.origin + path, {
    method,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    signal: abort.signal,
    ...(body === undefined ? {} : { body: new Blob([JSON.stringify(body)]) }),
  })
  abort.abort()
  return response.status
}

describe('5. Every endpoint except the open ones requires Authorization: Bearer <API_KEY>', () => {
  const keyed = routes.filter(({ isOpen }) => !isOpen)

  test.each(keyed)('$route is UNAUTHORIZED without a valid key', async ({ method, path, route }) => {
    const own = await ownPath(path)
    const body = BODIES[route]?.()
    for (const [description, key] of Object.entries(wrongKeys)) {
      const reply: Reply = await service.request(method, own, { key, body })
      expect([description, reply.status, reply.body.error.code]).toEqual([description, 401, 'UNAUTHORIZED'])
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  test.each(keyed)('$route does what is asked with a valid key', async ({ method, path, route }) => {
    // DELETE /sign-in revokes its key.
    const { key } = (await service.request('POST', '/api-keys')).body.api_key
    const status = await statusOf(method, await ownPath(path), key, BODIES[route]?.())
    expect(status).toBeOneOf(REFUSALS[route] ?? [200, 201])
  })

  test.each(keyed.filter(({ path }) => isOfOwner(path)))(
    '$route is FORBIDDEN for everybody but the owner',
    async ({ method, path, route }) => {
      const status = await statusOf(method, await ownPath(path), otherUsersKey, BODIES[route]?.())
      expect(status).toBe(403)
    },
  )

  test.each(keyed.filter(({ path }) => path.includes(':id') && !isOfOwner(path)))(
    "$route is NOT_FOUND for another user's job, key or webhook, which still exists afterwards",
    async ({ method, path, route }) => {
      const own = await ownPath(path)
      const reply = await service.request(method, own, { key: otherUsersKey, body: BODIES[route]?.() })
      expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
      const [, resource, id] = own.split('/')
      const { body } = await service.request('GET', `/${resource}`)
      const rows: { id: string }[] =
        body.jobs ?? body.api_keys ?? body.webhooks ?? body.notifiers ?? body.sites ?? body.schedules
      expect(rows.map((row) => row.id)).toContain(id ?? '')
    },
  )
})

describe('5.6 Open endpoints need no key', () => {
  test.each(routes.filter(({ isOpen }) => isOpen))(
    '$route has the same status with any key and without one',
    async ({ method, path, route }) => {
      const own = await ownPath(path)
      const keys = [...Object.values(wrongKeys), otherUsersKey, service.key]
      const statuses = await Promise.all(keys.map((key) => statusOf(method, own, key, BODIES[route]?.())))
      expect(new Set(statuses)).toEqual(new Set([route === 'POST /sign-in' ? 401 : 200]))
    },
  )

  test('only download, sign-in, health, metrics and the OpenAPI document are open', () => {
    expect(routes.filter(({ isOpen }) => isOpen).map(({ route }) => route)).toEqual([
      'GET /health',
      'POST /sign-in',
      'GET /metrics',
      'GET /download/:token',
      'GET /download/:token/archive',
      'GET /download/:token/entries',
      'GET /download/:token/selection',
      'GET /download/:token/entries/:position',
      'GET /openapi.json',
    ])
  })
})
