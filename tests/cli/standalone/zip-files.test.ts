import { describe, expect, test } from 'bun:test'
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { Spool } from '../../../server/archive/spool.ts'
import { forFile } from '../../support/for-file.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { startSources } from '../../support/sources.ts'
import { type TempDir, tempDir } from '../../support/temp-dir.ts'

const sources = forFile(startSources())

function zip(dir: TempDir, output: string) {
  return runCommand(['zip', '-o', output, sources.url('/ok/a')], {
    cwd: dir.path,
    env: { HOLDALL_ALLOW_NETWORK: '127.0.0.0/8' },
  })
}

/** What somebody else may have put in the place of a file, in a directory that several people write to. */
const OTHERS: readonly [string, (path: string) => unknown][] = [
  ['a link', (path) => symlinkSync('victim', path)],
  ['a link that leads nowhere', (path) => symlinkSync('nowhere', path)],
  ['a pipe', (path) => Bun.spawnSync(['mkfifo', path])],
  ['a directory', (path) => mkdirSync(path)],
]

describe.each(OTHERS)('With %s in the place of', (_what, make) => {
  test.each(['x.zip.part', 'x.zip.part.json', 'x.zip.part.lock', 'x.zip.sources.json'])(
    '%s, holdall zip says which and what to do, and changes nothing',
    async (name) => {
      using dir = tempDir()
      writeFileSync(dir.file('victim'), 'kept')
      make(dir.file(name))
      const before = lstatSync(dir.file(name)).ino
      const { exitCode, stdout, stderr } = await zip(dir, 'x.zip')
      expect([exitCode, stdout, stderr]).toEqual([
        1,
        '',
        `holdall: ${dir.file(name)} is in the way: it is not a regular file. Move it away, or choose another file with -o.\n`,
      ])
      expect(lstatSync(dir.file(name)).ino).toBe(before)
      expect(readFileSync(dir.file('victim'), 'utf8')).toBe('kept')
    },
  )
})

test('A device or a pipe is never replaced by an archive', async () => {
  using dir = tempDir()
  Bun.spawnSync(['mkfifo', dir.file('pipe')])
  symlinkSync('/dev/null', dir.file('null'))
  for (const name of ['pipe', 'null', '/dev/null']) {
    const { exitCode, stderr } = await zip(dir, name)
    expect([name, exitCode, stderr]).toEqual([
      name,
      2,
      'holdall: -o: expected a file, not a device or a pipe\n',
    ])
  }
  expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true)
})

test('A spool file does not follow a link', () => {
  using dir = tempDir()
  writeFileSync(dir.file('victim'), 'kept')
  symlinkSync('victim', dir.file('x.zip.part.spool-0'))
  expect(() => new Spool(dir.file('x.zip.part.spool-0'))).toThrow('ELOOP')
  expect(readFileSync(dir.file('victim'), 'utf8')).toBe('kept')
})
