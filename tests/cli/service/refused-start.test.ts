import { afterAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type CommandOptions, runCommand } from '../../support/holdall-command.ts'
import { makeData } from '../../support/make-data.ts'
import { inMountNamespace } from '../../support/mount-namespace.ts'
import { startService } from '../../support/service.ts'
import { type TempDir, tempDir } from '../../support/temp-dir.ts'

const dirs: TempDir[] = []
afterAll(() => {
  for (const dir of dirs) dir[Symbol.dispose]()
})

/** Starts the service on `data` and waits for it to exit. */
async function serve(data: string, more: readonly string[] = [], options: CommandOptions = {}) {
  const args = ['serve', '--listen', '127.0.0.1:0', '--no-open', '--data', data, ...more]
  const { exitCode, stdout, stderr } = await runCommand(args, options)
  return { exitCode, stdout, lines: stderr.trim().split('\n') }
}

/** Mounts a directory read-only for one command, as the system does after an error of the disk. */
function withReadOnly(path: string): string[] {
  return inMountNamespace('mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"', path)
}

/** Runs a command without the privileges of root. */
const AS_NOBODY =
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all']
    : []

function newDir(): TempDir {
  const dir = tempDir()
  dirs.push(dir)
  return dir
}

describe('A start that cannot succeed ends with exit code 1 and one line that says what to do', () => {
  test.each([
    ['a data directory that is a file', ['/dev/null'], /The data directory .* is not a directory .*--data/],
    ['a data directory below a file', ['/dev/null/data'], /The data directory .* not a directory .*--data/],
    [
      'an unknown host',
      [null, '--listen', 'no-such-host.invalid:1'],
      /no-such-host.* cannot be resolved .*--listen/,
    ],
    [
      'an address of another machine',
      [null, '--listen', '192.0.2.1:1'],
      /192\.0\.2\.1.* is not an address of this machine/,
    ],
    ['archives that are a file', [null, '--archives', '/dev/null'], /The archive directory .*--archives/],
    [
      'a key file in a missing directory',
      [null, '--owner-key-file', '/nowhere/key'],
      /--owner-key-file, .* does not exist/,
    ],
    [
      'a key file that is a directory',
      [null, '--owner-key-file', '/tmp'],
      /--owner-key-file, .* cannot be used/,
    ],
  ] as const)('%s', async (_what, [data, ...more], sentence) => {
    const { exitCode, stdout, lines } = await serve(data ?? newDir().file('data'), more)
    expect([exitCode, stdout, lines]).toEqual([1, '', [expect.stringMatching(sentence)]])
  })

  test.each([
    'holdall.db',
    'signing-secrets.json',
    'sealing-key',
    'settings.json',
    'holdall.lock',
    'service.lock',
  ])('a file with other content in place of %s is named and stays unchanged', async (name) => {
    const data = makeData(newDir().file('data'))
    if (name === 'holdall.lock') mkdirSync(join(data, 'archives'), { recursive: true })
    const path = name === 'holdall.lock' ? join(data, 'archives/holdall-lock') : join(data, name)
    writeFileSync(path, 'something else, longer than the head of a database has to be: 100 bytes'.repeat(3))
    const { exitCode, lines } = await serve(data)
    expect([exitCode, lines]).toEqual([1, [expect.stringContaining(path)]])
    expect(readFileSync(path, 'utf8')).toStartWith('something else')
  })

  test.each(['', '[]', '[{"id":"abc"}]', '{', '[{"id":"0123'])('signing secrets of %p', async (text) => {
    const data = makeData(newDir().file('data'))
    const path = join(data, 'signing-secrets.json')
    writeFileSync(path, text)
    const { exitCode, lines } = await serve(data)
    expect([exitCode, lines]).toEqual([
      1,
      [expect.stringMatching(/signing-secrets\.json .*backup.*delete it/)],
    ])
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test.each([
    ['a directory', (path: string) => mkdirSync(path)],
    ['a pipe', (path: string) => void Bun.spawnSync(['mkfifo', path])],
    ['a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a link that leads nowhere', (path: string) => symlinkSync('/nowhere/secrets.json', path)],
    ['more than any secrets', (path: string) => writeFileSync(path, new Uint8Array(2_000_000))],
  ])('%s in place of a file of ours is named', async (_what, make) => {
    for (const name of ['signing-secrets.json', 'sealing-key', 'settings.json', 'archives/holdall-owner']) {
      const data = makeData(newDir().file('data'))
      const path = join(data, name)
      make(path)
      const { exitCode, lines } = await serve(data)
      expect([exitCode, lines]).toEqual([1, [expect.stringContaining(`${path} is not a file that Holdall`)]])
      expect(lstatSync(path, { throwIfNoEntry: false })).toBeDefined()
    }
  })

  test('a data directory on a read-only file system, before its first use and after', async () => {
    const fresh = newDir()
    mkdirSync(fresh.file('data'))
    const used = makeData(newDir().file('data'))
    for (const data of [fresh.file('data'), used]) {
      const { exitCode, lines } = await serve(data, [], { under: withReadOnly(data) })
      expect([exitCode, lines]).toEqual([
        1,
        [expect.stringMatching(/data directory .* read-only file system \(EROFS\)/)],
      ])
    }
  })

  test('a data directory, or a database, that belongs to another user', async () => {
    const dir = newDir()
    const data = makeData(dir.file('data'))
    for (const path of [dir.path, data]) chmodSync(path, 0o755)
    if (AS_NOBODY.length === 0) chmodSync(data, 0o500)
    const directory = await serve(data, [], { under: AS_NOBODY })
    expect([directory.exitCode, directory.lines]).toEqual([
      1,
      [expect.stringMatching(/data directory .* is not writable by this user/)],
    ])
    if (AS_NOBODY.length === 0) return chmodSync(data, 0o700)
    for (const path of [data, join(data, 'archives')]) chmodSync(path, 0o777)
    const database = await serve(data, [], { under: AS_NOBODY })
    expect([database.exitCode, database.lines]).toEqual([
      1,
      [expect.stringMatching(/holdall\.db cannot be opened by this user/)],
    ])
  })

  test('a dangling symbolic link in place of the data directory', async () => {
    const dir = newDir()
    symlinkSync(dir.file('nowhere'), dir.file('data'))
    const { exitCode, lines } = await serve(dir.file('data'))
    expect([exitCode, lines]).toEqual([1, [expect.stringMatching(/The data directory .*--data/)]])
    expect(existsSync(dir.file('nowhere'))).toBe(false)
  })
})

test('the first start writes the signing secrets, readable only by their owner, and later starts keep them', async () => {
  await using service = await startService()
  const path = join(service.dataDir, 'signing-secrets.json')
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  const before = readFileSync(path, 'utf8')
  await service.restart()
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(existsSync(`${path}.new`)).toBe(false)
})
