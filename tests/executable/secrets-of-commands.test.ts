// test group: long
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { signInOwner } from '../support/client.ts'
import { EXECUTABLE, startHoldall } from '../support/executable.ts'
import { forFile } from '../support/for-file.ts'
import { resultOf } from '../support/holdall-command.ts'
import { startOrigin } from '../support/origin.ts'
import { startProxy } from '../support/proxy.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(60_000)

/** Of this run alone: another run of these tests on the machine has its own. */
const MARKER = `marker-of-a-s3cret-${crypto.randomUUID()}`
const LOGIN = `ann:${MARKER}`
const origin = forFile(await startOrigin())
const proxy = forFile(
  await startProxy({ login: LOGIN, hosts: { 'files.test:80': new URL(origin.url('/')).host } }),
)
const THROUGH = `http://${LOGIN}@${proxy.host}`

/** A file that arrives when the test lets it, so that the command still runs until then. */
const held = (name: string) => `http://files.test/bytes/30000/${name}.bin?gate=${name}`

// What a person types can be seen by all users of the machine for as long as the command runs. Nothing else can.
describe('A secret on the command line, or in the environment, of the executable', () => {
  test('is on no other command line: the process that was typed is the only one', async () => {
    using dir = tempDir()
    const child = Bun.spawn(
      [EXECUTABLE, 'zip', '--proxy', THROUGH, '-H', `X-Key: ${MARKER}`, held('typed')],
      { cwd: dir.path, env: { PATH: process.env.PATH, HOME: dir.path }, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const result = resultOf(child)
    await until('the source is requested', () => origin.requests('/bytes/30000/typed.bin').length > 0)
    expect(processesWith(MARKER)).toEqual([child.pid])
    origin.open('typed')
    const { exitCode, stdout, stderr } = await result
    expect(exitCode).toBe(0)
    expect(stdout + stderr).not.toContain('s3cret')
    expectNoFileWith(dir, MARKER)
  })

  test('is on no command line when it comes from a file or the environment', async () => {
    using dir = tempDir()
    writeFileSync(dir.file('headers.txt'), `X-Key: ${MARKER}\n`)
    const child = Bun.spawn([EXECUTABLE, 'zip', '-H', '@headers.txt', held('hidden')], {
      cwd: dir.path,
      env: { PATH: process.env.PATH, HOME: dir.path, HOLDALL_PROXY: THROUGH },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const result = resultOf(child)
    await until('the source is requested', () => origin.requests('/bytes/30000/hidden.bin').length > 0)
    expect(processesWith(MARKER)).toEqual([])
    origin.open('hidden')
    expect((await result).exitCode).toBe(0)
  })

  test('is not in the environment of the programs that look up names', async () => {
    using dir = tempDir()
    // In place of the one of the system.
    writeFileSync(dir.file('getent'), `#!/bin/sh\n(echo "$@"; env) > ${dir.file('seen.txt')}\n`)
    chmodSync(dir.file('getent'), 0o755)
    const child = Bun.spawn([EXECUTABLE, 'zip', '--no-proxy', 'printer.local', 'http://printer.local/a'], {
      cwd: dir.path,
      env: {
        PATH: dir.path + delimiter + process.env.PATH,
        HOME: dir.path,
        HOLDALL_PROXY: THROUGH,
        HOLDALL_METRICS_TOKEN: MARKER,
        AWS_SECRET_ACCESS_KEY: MARKER,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect((await resultOf(child)).stderr).toContain('Could not resolve host')
    const seen = readFileSync(dir.file('seen.txt'), 'utf8')
    expect(seen).toContain('ahosts -- printer.local')
    expect(seen).not.toContain(MARKER)
  })

  test('of a service is on no other command line, in no log and no file, also after a restart', async () => {
    await using holdall = await startHoldall({ args: ['--proxy', THROUGH, '--log-level', 'debug'] })
    const client = await signInOwner(holdall)
    const headers = [{ origin: 'http://files.test', headers: [{ name: 'X-Key', value: MARKER }] }]
    for (const round of ['first', 'second']) {
      const id = await client.createJob({ urls: [held(round), 'http://files.test/status/404'], headers })
      await until('the source is requested', () => origin.requests(`/bytes/30000/${round}.bin`).length > 0)
      expect(processesWith(MARKER)).toEqual([holdall.pid])
      origin.open(round)
      expect((await client.untilEnded(id)).status).toBe('failed')
      expect(origin.requests(`/bytes/30000/${round}.bin`).at(-1)?.headers.get('x-key')).toBe(MARKER)
      expect(holdall.output()).not.toContain('s3cret')
      expectNoFileWith({ path: holdall.dataDir }, MARKER)
      await holdall.restart()
    }
  })
})

/** The processes whose command lines have the text: `ps` shows these to every user. */
function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => commandLineOf(pid).includes(text))
    .map(Number)
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It has ended.
    return ''
  }
}

function expectNoFileWith({ path }: Pick<TempDir, 'path'>, text: string): void {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(0)
  for (const { parentPath, name } of files)
    expect([name, readFileSync(`${parentPath}/${name}`).includes(text)]).toEqual([name, false])
}
