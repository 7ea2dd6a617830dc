import { describe, expect, test } from 'bun:test'
import { archivesIn } from '../support/archives-in.ts'
import { checkData } from '../support/check-data.ts'
import { openEventStream } from '../support/event-stream.ts'
import { forFile } from '../support/for-file.ts'
import { runCommand } from '../support/holdall-command.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

const sources = forFile(startSources())
const service = forFile(await startService())

const newName = () => `user-${crypto.randomUUID()}`

async function createUser(body: object = {}) {
  return (await service.request('POST', '/users', { body: { name: newName(), ...body } })).body.user
}

async function listUsers() {
  const users: { id: string; name: string }[] = (await service.request('GET', '/users')).body.users
  return users
}

/** Signs a user in with a link of the service. @returns the key */
async function keyOf(userId: string): Promise<string> {
  const { body } = await service.request('POST', `/users/${userId}/sign-in-link`)
  const token = body.url.split('#')[1]
  return (await service.request('POST', '/sign-in', { key: null, body: { token } })).body.api_key.key
}

describe('GET /users', () => {
  test('lists all users with plan, usage and jobs, the owner first', async () => {
    await using fresh = await startService()
    const added = await fresh.request('POST', '/users', { body: { name: 'ann', plan: 'free' } })
    await fresh.finishedJob([sources.url('/ok/a')])
    await fresh.finishedJob([sources.url('/404')])
    const { users } = (await fresh.request('GET', '/users')).body
    expect(users).toEqual([
      {
        id: expect.any(String),
        name: 'owner',
        plan: 'pro',
        is_owner: true,
        created_at: expect.stringMatching(TIME),
        usage: { gb_days: expect.any(Number) },
        job_counts: { pending: 0, processing: 0, completed: 1, failed: 1, total: 2, cancelled: 0 },
      },
      added.body.user,
    ])
    expect(users[1]).toMatchObject({ name: 'ann', plan: 'free', is_owner: false, usage: { gb_days: 0 } })
  })
})

describe('POST /users', () => {
  test('adds a user, on the Pro plan unless said otherwise', async () => {
    const reply = await service.request('POST', '/users', { body: { name: newName() } })
    expect([reply.status, reply.body.user.plan]).toEqual([201, 'pro'])
    const { stdout } = await runCommand(['user', 'list', '--data', service.dataDir])
    expect(stdout).toContain(reply.body.user.name)
  })

  test('names are unique', async () => {
    const { name } = await createUser()
    for (const taken of [name, 'owner']) {
      const reply = await service.request('POST', '/users', { body: { name: taken } })
      expect(reply.status).toBe(400)
      expect(reply.body.error).toMatchObject({ code: 'INVALID_REQUEST', issues: [{ path: 'name' }] })
    }
  })

  test.each<[object, string]>([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: ' ann' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: 'ann', plan: 'gold' }, 'plan'],
  ])('refuses %j with INVALID_REQUEST', async (body, path) => {
    const reply = await service.request('POST', '/users', { body })
    expect(reply.status).toBe(400)
    expect(reply.body.error).toMatchObject({ code: 'INVALID_REQUEST', issues: [{ path }] })
  })
})

describe('PATCH /users/:id', () => {
  test('renames a user and changes the plan, from the next request of the user on', async () => {
    const user = await createUser()
    const key = await keyOf(user.id)
    const name = newName()
    const reply = await service.request('PATCH', `/users/${user.id}`, { body: { name, plan: 'free' } })
    expect(reply).toMatchObject({ status: 200, body: { user: { ...user, name, plan: 'free' } } })
    const { body } = await service.request('GET', '/me', { key })
    expect(body.user).toEqual({ id: user.id, name, plan: 'free', is_owner: false })
    expect(body.limits.max_urls).toBe(100)
  })

  test('a name that another user has, and another name for the owner, are INVALID_REQUEST', async () => {
    const [one, two] = [await createUser(), await createUser()]
    const owner = (await listUsers())[0]
    for (const [id, name] of [
      [one.id, two.name],
      [one.id, 'owner'],
      [owner?.id, newName()],
    ]) {
      const reply = await service.request('PATCH', `/users/${id}`, { body: { name, plan: 'free' } })
      expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    }
    expect((await service.request('PATCH', `/users/${one.id}`, { body: {} })).status).toBe(400)
    const same = await service.request('PATCH', `/users/${one.id}`, { body: { name: one.name } })
    expect(same.body.user).toEqual(one)
  })
})

describe('POST /users/:id/sign-in-link', () => {
  test('gives a link that works once, for half an hour, at the origin of the request', async () => {
    await using fresh = await startService()
    const { id } = (await fresh.request('POST', '/users', { body: { name: 'ann' } })).body.user
    const create = async (headers = {}) =>
      (await fresh.request('POST', `/users/${id}/sign-in-link`, { headers })).body
    const link = await create({ host: 'zip.example.com' })
    expect(link.url).toStartWith('http://zip.example.com/sign-in#')
    const inMs = Date.parse(link.expires_at) - Date.now()
    expect(Math.abs(inMs - 30 * 60_000)).toBeLessThan(60_000)
    const redeem = (url: string) =>
      fresh.request('POST', '/sign-in', { key: null, body: { token: url.split('#')[1] } })
    const { key } = (await redeem(link.url)).body.api_key
    expect((await fresh.request('GET', '/me', { key })).body.user.name).toBe('ann')
    expect((await redeem(link.url)).status).toBe(401)
    const late = await create()
    fresh.advance(30 * 60_000)
    expect((await redeem(late.url)).status).toBe(401)
    expect(fresh.logged.join('')).not.toContain(late.url.split('#')[1])
  })
})

describe('DELETE /users/:id', () => {
  test('stops the jobs of the user, ends the streams, and deletes keys, rows and archives', async () => {
    await using fresh = await startService()
    await using own = startSources()
    const { id } = (await fresh.request('POST', '/users', { body: { name: 'ann' } })).body.user
    const { url } = (await fresh.request('POST', `/users/${id}/sign-in-link`)).body
    const signedIn = await fresh.request('POST', '/sign-in', {
      key: null,
      body: { token: url.split('#')[1] },
    })
    const { key } = signedIn.body.api_key
    const kept = await fresh.finishedJob([own.url('/ok/a')])
    const job = await fresh.finishedJob([own.url('/ok/a')], {}, key)
    const urls = [own.url('/ok/a'), own.url('/slow')]
    const running = await fresh.createJob({ urls }, key)
    await fresh.jobIn(running, ['processing'], key)
    await using stream = await openEventStream(`${fresh.origin}/events`, key)
    const spare = (await fresh.request('POST', `/users/${id}/sign-in-link`)).body.url

    const reply = await fresh.request('DELETE', `/users/${id}`)
    expect(reply).toMatchObject({ status: 200, body: { message: 'User deleted' } })
    expect((await fresh.request('GET', '/jobs', { key })).status).toBe(401)
    const token = spare.split('#')[1]
    expect((await fresh.request('POST', '/sign-in', { key: null, body: { token } })).status).toBe(401)
    expect((await fetch(job.download_url)).status).toBe(403)
    expect(archivesIn(fresh.dataDir)).toEqual([`${kept.id}.zip`])
    await stream.rest()
    expect((await fresh.request('DELETE', `/users/${id}`)).status).toBe(404)
    const status = (await fresh.request('GET', '/service')).body.service
    expect(status.jobs).toEqual({
      pending: 0,
      processing: 0,
      completed: 1,
      failed: 0,
      total: 1,
      cancelled: 0,
    })
    await fresh.whileStopped(async () => checkData(fresh.dataDir))
    expect(fresh.logged.filter((line) => / (error|warn) /.test(line))).toEqual([])
  })

  test('the owner cannot be deleted', async () => {
    const owner = (await listUsers())[0]
    const reply = await service.request('DELETE', `/users/${owner?.id}`)
    expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect((await service.request('GET', '/me')).status).toBe(200)
  })
})

describe("The owner's routes", () => {
  const routes: [string, string, object | undefined][] = [
    ['GET', '/users', undefined],
    ['POST', '/users', { name: 'somebody' }],
    ['PATCH', '/users/:id', { plan: 'free' }],
    ['DELETE', '/users/:id', undefined],
    ['POST', '/users/:id/sign-in-link', undefined],
    ['GET', '/service', undefined],
  ]

  test.each(routes)('%s %s is FORBIDDEN for others, about themselves too', async (method, path, body) => {
    const user = await createUser()
    const key = await keyOf(user.id)
    for (const id of [user.id, (await createUser()).id, UNKNOWN_ID]) {
      const reply = await service.request(method, path.replace(':id', id), { key, body })
      expect([reply.status, reply.body.error.code]).toEqual([403, 'FORBIDDEN'])
    }
    // The body is not read.
    if (body !== undefined) {
      const malformed = await service.request(method, path.replace(':id', user.id), { key, body: '{' })
      expect(malformed.status).toBe(403)
    }
    expect((await listUsers()).find(({ id }) => id === user.id)).toEqual(user)
  })

  test.each(routes.filter(([, path]) => path.includes(':id')))(
    '%s %s is NOT_FOUND for an unknown user, and for an id that is not a UUID',
    async (method, path, body) => {
      for (const id of [UNKNOWN_ID, 'ann']) {
        const reply = await service.request(method, path.replace(':id', id), { body })
        expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
      }
    },
  )
})
