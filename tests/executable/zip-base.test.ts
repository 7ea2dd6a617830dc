import { describe, expect, test } from 'bun:test'
import { appendFileSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTABLE } from '../support/executable.ts'
import { flipByte } from '../support/flip-byte.ts'
import { forFile } from '../support/for-file.ts'
import { resultOf } from '../support/holdall-command.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

const origin = forFile(await startOrigin())

const zip = (dir: TempDir, ...args: readonly string[]) => zipUnder([], dir, ...args)

/** @param under a command that starts the executable */
const zipUnder = (under: readonly string[], dir: TempDir, ...args: readonly string[]) =>
  resultOf(
    Bun.spawn([...under, EXECUTABLE, 'zip', ...args], {
      cwd: dir.path,
      env: { PATH: process.env.PATH, HOLDALL_ALLOW_NETWORK: '127.0.0.0/8' },
      stdout: 'pipe',
      stderr: 'pipe',
    }),
  )

function body(sizeBytes: number, name: string, query: string) {
  const path = `/bytes/${sizeBytes}/${name}?${query}`
  return { path, url: origin.url(path), entry: { name, sizeBytes, sha256: expectedSha256(sizeBytes) } }
}

const bodiesOf = (run: string) => [
  body(1_000, 'small.bin', `run=${run}`),
  body(9_000, 'text.txt', `run=${run}&type=text/plain`),
  body(2_000_000, 'large.bin', `run=${run}`),
]

describe('holdall zip --base', () => {
  test('copies what its sources call unchanged, and every reader accepts the archive', async () => {
    using dir = tempDir()
    const bodies = bodiesOf('unchanged')
    const added = body(3_000, 'added.bin', 'run=unchanged')
    const urls = bodies.map(({ url }) => url)
    expect((await zip(dir, '--remember', '-o', 'old.zip', ...urls)).exitCode).toBe(0)
    expect(readdirSync(dir.path).toSorted()).toEqual(['old.zip', 'old.zip.sources.json'])
    // It contains the URLs, and they may contain passwords.
    expect(statSync(dir.file('old.zip.sources.json')).mode & 0o777).toBe(0o600)

    const sentBytes = origin.sentBytes()
    const { exitCode, stderr } = await zip(dir, '--base', 'old.zip', '-o', 'new.zip', added.url, ...urls)
    expect(exitCode).toBe(0)
    // On a busy machine, lines of the progress are before it.
    expect(stderr).toEndWith('4 files, 2.01 MB, 3 copied from the base\n')
    expect(origin.sentBytes() - sentBytes).toBeLessThan(5_000)
    expect(bodies.map(({ path }) => origin.requests(path).at(-1)?.headers.get('if-none-match'))).toEqual([
      '"1000-1"',
      '"9000-1"',
      '"2000000-1"',
    ])
    await expectReadable(
      dir.file('new.zip'),
      [added, ...bodies].map(({ entry }) => entry),
    )

    // The new archive is the base of the next one, and may have the same name.
    const again = await zip(dir, '--base', 'new.zip', '-o', 'new.zip', ...urls)
    expect(again.stderr).toEndWith('3 files, 2.01 MB, 3 copied from the base\n')
    await expectReadable(
      dir.file('new.zip'),
      bodies.map(({ entry }) => entry),
    )
  })

  test('tells how many entries it has copied also when it was killed after its archive was finished', async () => {
    using dir = tempDir()
    const urls = bodiesOf('killed').map(({ url }) => url)
    expect((await zip(dir, '--remember', '-o', 'old.zip', ...urls)).exitCode).toBe(0)
    const again = ['--base', 'old.zip', '-o', 'new.zip', ...urls]
    const journal = join(realpathSync(dir.path), 'new.zip.part.json')
    const kill = ['-P', journal, '-e', 'inject=unlink,unlinkat:signal=SIGKILL']
    await zipUnder(['strace', '-f', '-qq', '-o', '/dev/null', ...kill], dir, ...again)
    expect(readdirSync(dir.path)).toContain('new.zip.part.json')
    expect(readdirSync(dir.path)).toContain('new.zip')
    const { exitCode, stderr } = await zip(dir, ...again)
    expect(exitCode).toBe(0)
    expect(stderr).toEndWith('3 files, 2.01 MB, 3 copied from the base\n')
  })

  test('copies without a request with --reuse all', async () => {
    using dir = tempDir()
    const bodies = bodiesOf('all')
    const urls = bodies.map(({ url }) => url)
    await zip(dir, '--remember', '-o', 'old.zip', ...urls)
    const { stderr } = await zip(dir, '--base', 'old.zip', '--reuse', 'all', '-o', 'new.zip', ...urls)
    expect(stderr).toEndWith('3 files, 2.01 MB, 3 copied from the base\n')
    expect(bodies.map(({ path }) => origin.requests(path).length)).toEqual([1, 1, 1])
    await expectReadable(
      dir.file('new.zip'),
      bodies.map(({ entry }) => entry),
    )
  })

  test('fetches a damaged entry anew', async () => {
    using dir = tempDir()
    const bodies = bodiesOf('damaged')
    const urls = bodies.map(({ url }) => url)
    await zip(dir, '--remember', '-o', 'old.zip', ...urls)
    flipByte(dir.file('old.zip'), 1_000_000)
    const { stderr } = await zip(dir, '--base', 'old.zip', '--reuse', 'all', '-o', 'new.zip', ...urls)
    expect(stderr).toEndWith('3 files, 2.01 MB, 2 copied from the base\n')
    expect(bodies.map(({ path }) => origin.requests(path).length)).toEqual([1, 1, 2])
    await expectReadable(
      dir.file('new.zip'),
      bodies.map(({ entry }) => entry),
    )
  })

  test('refuses a base that is missing, has no record or a damaged one, and says what to do', async () => {
    using dir = tempDir()
    const { url } = body(1_000, 'small.bin', 'run=refused')
    await zip(dir, '--remember', '-o', 'old.zip', url)
    const refusal = async (...args: readonly string[]) => {
      const { exitCode, stderr } = await zip(dir, '-o', 'new.zip', ...args, url)
      expect(exitCode).toBe(2)
      return stderr
    }
    expect(await refusal('--base', 'nothing.zip')).toBe('holdall: --base: expected an archive\n')
    expect(await refusal('--reuse', 'all')).toBe('holdall: --reuse: expected with --base\n')
    expect(await refusal('--base', 'old.zip', '--reuse', 'some')).toBe(
      'holdall: --reuse: expected all or unchanged\n',
    )
    appendFileSync(dir.file('old.zip.sources.json'), ' ')
    expect(await refusal('--base', 'old.zip')).toContain('old.zip.sources.json is damaged.')
    rmSync(dir.file('old.zip.sources.json'))
    expect(await refusal('--base', 'old.zip')).toContain(
      'old.zip.sources.json is missing. Create the archive with --remember',
    )
    expect(readdirSync(dir.path)).toEqual(['old.zip'])
  })
})
