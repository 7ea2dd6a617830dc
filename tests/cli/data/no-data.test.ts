import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { forFile } from '../../support/for-file.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { makeData } from '../../support/make-data.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** Bun keeps files there when it runs the sources. */
const home = forFile(tempDir())
/** Commands that work with what a service has made. */
const COMMANDS = [
  ['key', 'create'],
  ['user', 'add', 'ann'],
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
})

test('A command makes no archive directory', async () => {
  using dir = tempDir()
  const data = ['--data', makeData(dir.file('data'))]
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
