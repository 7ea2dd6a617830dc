import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { forFile } from '../support/for-file.ts'
import { runCommand } from '../support/holdall-command.ts'
import { tempDir } from '../support/temp-dir.ts'

/** Bun keeps files there when it runs the sources. */
const home = forFile(tempDir())
/** Commands that work with what a service has made. */
const COMMANDS = [
  ['key', 'list'],
  ['key', 'revoke', 'x'],
  ['user', 'list'],
  ['user', 'set-plan', 'ann', 'free'],
  ['user', 'remove', 'ann'],
  ['sign-in-link'],
  ['secret', 'rotate'],
  ['backup', 'b.tar'],
  ['health'],
]
/** Commands that prepare a directory before the first start. */
const SETTING_UP = [
  ['key', 'create'],
  ['user', 'add', 'ann'],
]

describe('A command that finds no database says so, and makes nothing', () => {
  test.each(COMMANDS)('holdall %s %s', async (...words) => {
    using dir = tempDir()
    mkdirSync(dir.file('empty'))
    const args = words.filter((word) => typeof word === 'string')
    for (const more of [['--data', dir.file('typo')], ['--data', dir.file('empty')], []]) {
      const env = { HOME: home.path, XDG_DATA_HOME: dir.file('share') }
      const { exitCode, stdout, stderr } = await runCommand([...args, ...more], { cwd: dir.path, env })
      expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^holdall: .*--data.*\n$/)])
    }
    expect(readdirSync(dir.path, { recursive: true })).toEqual(['empty'])
  })

  test.each(SETTING_UP)('holdall %s %s without a named directory', async (...words) => {
    using dir = tempDir()
    const args = words.filter((word) => typeof word === 'string')
    const env = { HOME: home.path, XDG_DATA_HOME: dir.file('share') }
    const { exitCode, stderr } = await runCommand(args, { cwd: dir.path, env })
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('There is no database')])
    expect(readdirSync(dir.path)).toEqual([])

    const named = await runCommand(args, { cwd: dir.path, env: { ...env, HOLDALL_DATA: dir.file('data') } })
    expect(named.exitCode).toBe(0)
    expect(existsSync(dir.file('data/holdall.db'))).toBe(true)
  })
})

test('A command makes no archive directory', async () => {
  using dir = tempDir()
  const data = ['--data', dir.file('data')]
  expect((await runCommand(['key', 'create', ...data])).exitCode).toBe(0)
  for (const args of [
    ['key', 'list'],
    ['key', 'create'],
    ['user', 'list'],
    ['backup', dir.file('b.tar')],
  ]) {
    const { exitCode, stderr } = await runCommand([...args, ...data, '--archives', dir.file('typo')])
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('There is no archive directory')])
  }
  expect(existsSync(dir.file('typo'))).toBe(false)
})
