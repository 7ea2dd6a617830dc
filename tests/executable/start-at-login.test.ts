import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import type { ServiceStatusJson } from '../../server/http/service/schemas.ts'
import { signIn, signInOwner } from '../support/client.ts'
import { type DesktopSession, openDesktopSession } from '../support/desktop-session.ts'
import { addUser, EXECUTABLE, startHoldall } from '../support/executable.ts'

interface Reply {
  readonly service: Pick<ServiceStatusJson, 'start_at_login'>
  readonly error: { readonly code: string }
}

const start = ({ env, under }: DesktopSession) => startHoldall({ env, under, args: ['--jobs', '3'] })

test.if(process.platform === 'linux')(
  'Start at login is switched on and off with the settings of the service, which goes on meanwhile',
  async () => {
    using session = openDesktopSession()
    await using holdall = await start(session)
    const client = await signInOwner(holdall)
    const change = async (isOn: unknown) => {
      const response = await client.request('PATCH', '/service', { start_at_login: isOn })
      return { status: response.status, body: await response.json() }
    }
    const isOn = async () => (await replyOf(client.request('GET', '/service'))).service.start_at_login

    expect(await isOn()).toBe(false)
    expect(await change(true)).toMatchObject({ status: 200, body: { service: { start_at_login: true } } })
    expect(session.calls()).toEqual(['--user daemon-reload', '--user enable holdall.service'])
    const unit = readFileSync(session.unit, 'utf8')
    expect(unit).toContain(`ExecStart=${EXECUTABLE} serve --no-open\n`)
    expect(unit).toContain('Environment=HOLDALL_JOBS=3\n')
    expect(unit).toContain(`Environment=HOLDALL_DATA=${holdall.dataDir}\n`)
    expect(await isOn()).toBe(true)

    expect(await change(true)).toMatchObject({ status: 200 })
    expect(await change(false)).toMatchObject({ status: 200, body: { service: { start_at_login: false } } })
    expect(session.calls().slice(2)).toEqual(['--user disable holdall.service', '--user daemon-reload'])
    expect(existsSync(session.unit)).toBe(false)

    session.refuse('Failed to connect to bus')
    expect(await change(true)).toMatchObject({
      status: 503,
      body: {
        error: {
          code: 'UNAVAILABLE',
          message: 'The system refused that. To see why, stop Holdall and run holdall install in a terminal.',
        },
      },
    })
    expect([existsSync(session.unit), await isOn()]).toEqual([false, false])
    expect(await change('yes')).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } })
    expect((await client.request('PATCH', '/service', {})).status).toBe(400)
  },
)

test.if(process.platform === 'linux')(
  'Start at login is changed by nobody but the owner, and only on the computer where Holdall runs',
  async () => {
    using session = openDesktopSession()
    await using holdall = await start(session)
    const { key } = await signInOwner(holdall)
    const send = (method: string, headers: Record<string, string>) =>
      fetch(`${holdall.address}/service`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        ...(method === 'PATCH' ? { body: '{"start_at_login":true}' } : {}),
      })
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    expect((await replyOf(send('GET', forwarded))).service.start_at_login).toBe(null)
    const user = await signIn(addUser(holdall, 'ann'))
    for (const headers of [forwarded, { authorization: `Bearer ${user.key}` }]) {
      expect((await replyOf(send('PATCH', headers))).error.code).toBe('FORBIDDEN')
    }
    expect(existsSync(session.unit)).toBe(false)
  },
)

test.if(process.platform === 'linux')(
  'Where no user has logged in, as on a server, the service does not offer start at login',
  async () => {
    using session = openDesktopSession()
    const { XDG_RUNTIME_DIR: _, ...env } = session.env
    await using holdall = await startHoldall({ env, under: session.under })
    const client = await signInOwner(holdall)
    expect((await replyOf(client.request('GET', '/service'))).service.start_at_login).toBe(null)
    expect((await client.request('PATCH', '/service', { start_at_login: true })).status).toBe(403)
  },
)

async function replyOf(response: Promise<Response>): Promise<Reply> {
  return JSON.parse(await (await response).text())
}
