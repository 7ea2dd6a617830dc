import { describe, expect, test } from 'bun:test'
import { StoreError } from '../../server/archive-store/store-error.ts'
import { runCommand } from '../support/holdall-command.ts'
import { tempDir } from '../support/temp-dir.ts'

// Names that every object of JavaScript has. Where a name of a stranger is looked up in a table, they must not be found.

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']

describe('A name that every object has is like any other', () => {
  test.each(NAMES)('as a command: holdall %s', async (name) => {
    for (const args of [[name], [name, 'x'], ['user', name]]) {
      const { exitCode, stderr } = await runCommand(args)
      expect([exitCode, stderr]).toEqual([
        2,
        `holdall: There is no command ${args[0]}. See holdall --help.\n`,
      ])
    }
  })

  test.each(NAMES)('as a flag and as a value: %s', async (name) => {
    using dir = tempDir()
    const data = ['--data', dir.file('data')]
    for (const args of [
      ['paths', `--${name}`],
      ['paths', `--${name}=x`],
      ['paths', '--log-level', name],
      ['user', 'add', 'ann', '--plan', name, ...data],
    ]) {
      const { exitCode, stderr } = await runCommand(args)
      expect([args, exitCode, stderr]).toEqual([args, 2, expect.stringMatching(/^holdall: .+\n$/)])
      expect(stderr).not.toContain('is not a function')
    }
  })

  test.each(NAMES)('as the code of an error of the archive store: %s', (name) => {
    expect(new StoreError(500, name).message).toBe(`The archive store has failed. (500 ${name})`)
  })
})
