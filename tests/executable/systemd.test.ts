import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signInOwner } from '../support/client.ts'
import { EXECUTABLE, startHoldall } from '../support/executable.ts'
import { resultOf } from '../support/holdall-command.ts'
import { inMountNamespace } from '../support/mount-namespace.ts'
import { startNotifySocket } from '../support/notify-socket.ts'
import { startOrigin } from '../support/origin.ts'
import { tempDir } from '../support/temp-dir.ts'

const UNIT = readFileSync(join(import.meta.dir, '../../server/deploy/holdall.service'), 'utf8')

describe('The systemd unit', () => {
  test('is valid, and exposes little of the machine', async () => {
    using dir = tempDir()
    const path = dir.file('holdall.service')
    writeFileSync(path, UNIT.replace('/usr/local/bin/holdall', EXECUTABLE))
    expect(await analyze('verify', path)).toEqual({ exitCode: 0, stdout: '', stderr: '' })
    // On a scale from 0 to 100. The unit's comments say what it needs; a web server without a sandbox has 92.
    const { exitCode, stdout } = await analyze('security', '--offline=true', '--threshold=13', path)
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Overall exposure level')])
  })

  test('allows every system call and every family of sockets that a job needs', async () => {
    await using origin = await startOrigin()
    using dir = tempDir()
    const trace = dir.file('calls')
    await using holdall = await startHoldall({ under: ['strace', '-f', '-qq', '-o', trace] })
    const client = await signInOwner(holdall)
    const urls = [origin.url('/bytes/3000000/large'), origin.url('/bytes/3000000?framing=chunked')]
    const { status } = await client.untilEnded(await client.createJob({ urls }))
    expect(status).toBe('completed')
    expect(await stopTraced(holdall.pid, () => holdall.exited())).toBe(0)
    const calls = readFileSync(trace, 'utf8')
    const allowed = await allowedCalls()
    const needed = new Set([...calls.matchAll(/^\d+ +(\w+)\(/gm)].map(([, name = '']) => name))
    expect(needed.size).toBeGreaterThan(30)
    // SQLite makes this call only as root, as which this test may run, and the service of the unit never does.
    needed.delete('fchown')
    expect([...needed].filter((name) => !allowed.has(name))).toEqual([])
    const families = new Set([...calls.matchAll(/ socket\((AF_\w+)/g)].map(([, family = '']) => family))
    const allowedFamilies = valuesOf('RestrictAddressFamilies')
    expect([...families].filter((family) => !allowedFamilies.includes(family))).toEqual([])
  })

  test('lets Holdall see only its own processes, which is enough for a job', async () => {
    await using origin = await startOrigin()
    expect(valuesOf('ProcSubset')).toEqual(['pid'])
    await using holdall = await startHoldall({
      under: inMountNamespace('mount -t proc -o subset=pid,hidepid=invisible proc /proc'),
    })
    const client = await signInOwner(holdall)
    const jobId = await client.createJob({ urls: [origin.url('/bytes/3000000/large')] })
    expect((await client.untilEnded(jobId)).status).toBe('completed')
  })
})

describe('Started by systemd, the service', () => {
  test.each(['a path', 'an abstract address'])(
    'says when it is ready, that it responds, and that it stops: %s',
    async (kind) => {
      await using socket = await startNotifySocket(kind === 'a path' ? 'path' : 'abstract')
      await using holdall = await startHoldall({
        env: { NOTIFY_SOCKET: socket.address, WATCHDOG_USEC: '200000' },
      })
      // The last of these shows that the messages go on.
      expect(await socket.messages(4)).toEqual(['READY=1', 'WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1'])
      expect((await fetch(`${holdall.address}/health`)).status).toBe(200)
      expect(await holdall.stop()).toBe(0)
      expect(await socket.until('STOPPING=1')).toBe('STOPPING=1')
    },
  )

  test('sends no watchdog messages without a watchdog, or for the one of another process', async () => {
    for (const env of [{}, { WATCHDOG_USEC: '20000', WATCHDOG_PID: '1' }]) {
      await using socket = await startNotifySocket('path')
      await using holdall = await startHoldall({ env: { ...env, NOTIFY_SOCKET: socket.address } })
      await signInOwner(holdall)
      await holdall.stop()
      expect(await socket.messages(2)).toEqual(['READY=1', 'STOPPING=1'])
    }
  })
})

async function analyze(...args: readonly string[]) {
  const env = { PATH: process.env.PATH, SYSTEMD_COLORS: '0', SYSTEMD_PAGER: '' }
  return await resultOf(
    Bun.spawn(['systemd-analyze', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 }),
  )
}

/** strace passes on no signal, so the service itself is stopped, which is its child. */
async function stopTraced(straceId: number, exited: () => Promise<number>): Promise<number> {
  const child = readFileSync(`/proc/${straceId}/task/${straceId}/children`, 'utf8').trim()
  process.kill(Number(child), 'SIGTERM')
  return await exited()
}

/** The values of all lines of a setting of the unit. */
function valuesOf(name: string): string[] {
  const lines = [...UNIT.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))]
  return lines.flatMap(([, value = '']) => value.split(' '))
}

/** The calls in the sets that `SystemCallFilter` allows, without those of the sets that start with `~`. */
async function allowedCalls(): Promise<Set<string>> {
  const filters = [...UNIT.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)]
  let allowed = new Set<string>()
  for (const [, isRefused, names = ''] of filters) {
    const sets = await Promise.all(names.split(' ').map(callsOf))
    const calls = new Set(sets.flat())
    allowed = isRefused === '~' ? allowed.difference(calls) : allowed.union(calls)
  }
  return allowed
}

async function callsOf(set: string): Promise<string[]> {
  const { stdout } = await analyze('syscall-filter', set)
  const names = [...stdout.matchAll(/^ {4}(@?\w[\w-]*)$/gm)].map(([, name = '']) => name)
  const nested = await Promise.all(names.filter((name) => name.startsWith('@')).map(callsOf))
  return [...names, ...nested.flat()]
}
