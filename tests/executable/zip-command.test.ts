import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { EXECUTABLE } from '../support/executable.ts'
import { resultOf } from '../support/holdall-command.ts'
import { expectedSha256, type Origin, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

let origin: Origin
beforeAll(async () => {
  origin = await startOrigin()
})
afterAll(() => origin[Symbol.asyncDispose]())

function start(dir: TempDir, args: readonly string[], stdin = '', under: readonly string[] = []) {
  return Bun.spawn([...under, EXECUTABLE, 'zip', ...args], {
    cwd: dir.path,
    env: { PATH: process.env.PATH, HOLDALL_ALLOW_NETWORK: '127.0.0.0/8' },
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

const run = (dir: TempDir, args: readonly string[], stdin = '') => resultOf(start(dir, args, stdin))

function body(sizeBytes: number, seed: number, query = '') {
  return {
    url: origin.url(`/bytes/${sizeBytes}/file-${seed}.bin?seed=${seed}${query}`),
    entry: { name: `file-${seed}.bin`, sizeBytes, sha256: expectedSha256(sizeBytes, seed) },
  }
}

describe('holdall zip', () => {
  test.concurrent('packs the URLs in its arguments into FILE and leaves no other file', async () => {
    using dir = tempDir()
    const bodies = [body(1000, 1), body(300_000, 2), body(20_000, 3)]
    const { exitCode, stderr } = await run(dir, ['-o', 'all.zip', ...bodies.map(({ url }) => url)])
    expect(exitCode).toBe(0)
    // On a busy machine, lines of the progress are before it.
    expect(stderr).toEndWith('3 files, 321.41 KB\n')
    await expectReadable(
      dir.file('all.zip'),
      bodies.map(({ entry }) => entry),
    )
    expect(readdirSync(dir.path)).toEqual(['all.zip'])
  })

  test.concurrent('takes a list from a file or from standard input, with names after a tab', async () => {
    using dir = tempDir()
    const [one, two] = [body(1000, 1), body(2000, 2)]
    const list = `# a comment\n${one.url}\tfolder/named.bin\n\n${two.url}\r\n`
    const expected = [{ ...one.entry, name: 'folder/named.bin' }, two.entry]
    writeFileSync(dir.file('list.txt'), list)
    expect((await run(dir, ['-i', 'list.txt', '-o', 'file.zip'])).exitCode).toBe(0)
    expect((await run(dir, ['-i', '-'], list)).exitCode).toBe(0)
    await expectReadable(dir.file('file.zip'), expected)
    await expectReadable(dir.file('archive.zip'), expected)
  })

  test.concurrent('takes a list that PowerShell or Notepad saved', async () => {
    using dir = tempDir()
    const one = body(1000, 1)
    const expected = [{ ...one.entry, name: 'Bücher.bin' }]
    const list = `\uFEFF# a comment\r\n${one.url}\tBücher.bin\r\n`
    for (const encoding of ['utf8', 'utf16le'] as const) {
      writeFileSync(dir.file('list.txt'), list, encoding)
      expect(await run(dir, ['-i', 'list.txt', '-o', `${encoding}.zip`])).toMatchObject({ exitCode: 0 })
      await expectReadable(dir.file(`${encoding}.zip`), expected)
    }
  })

  test.concurrent('does not list the directory of FILE, which may hold a hundred thousand files', async () => {
    using dir = tempDir()
    using log = tempDir()
    const trace = ['strace', '-f', '-y', '-qq', '-e', 'trace=getdents64,fsync', '-o', log.file('calls')]
    const child = start(dir, ['-o', 'all.zip', body(1000, 1).url], '', trace)
    expect((await resultOf(child)).exitCode).toBe(0)
    const calls = readFileSync(log.file('calls'), 'utf8').split('\n')
    const ofDir = calls.filter((call) => call.includes(`<${realpathSync(dir.path)}>`))
    expect(ofDir.some((call) => call.includes('fsync('))).toBe(true)
    expect(ofDir.filter((call) => call.includes('getdents64('))).toEqual([])
  })

  test.concurrent('fails when a URL fails, names the URL, and resumes when it is run again', async () => {
    using dir = tempDir()
    const good = body(200_000, 4, '&run=strict')
    const bad = origin.url('/bytes/100/late.bin?fail=1&fail_status=404&run=strict')
    const args = ['-o', 'a.zip', good.url, bad]
    const first = await run(dir, args)
    expect(first.exitCode).toBe(1)
    expect(first.stderr).toContain(`${bad}: HTTP 404\nholdall: 1 of 2 URLs could not be fetched.`)
    expect(readdirSync(dir.path).sort()).toEqual(['a.zip.part', 'a.zip.part.json'])

    expect((await run(dir, args)).exitCode).toBe(0)
    expect(origin.requests('/bytes/200000/file-4.bin?seed=4&run=strict')).toHaveLength(1)
    const late = { name: 'late.bin', sizeBytes: 100, sha256: expectedSha256(100) }
    await expectReadable(dir.file('a.zip'), [good.entry, late])
  })

  test.concurrent('keeps what has arrived of a body that can be resumed, also if its URL failed', async () => {
    using dir = tempDir()
    // The first attempt brings two megabytes, and the next four bring nothing.
    const path = '/bytes/5000000/broken.bin?cut_at=2000000&times=5'
    const args = ['-o', 'a.zip', origin.url(path)]
    expect((await run(dir, args)).exitCode).toBe(1)
    expect((await run(dir, args)).exitCode).toBe(0)
    const ranges = origin.requests(path).map(({ headers }) => headers.get('range'))
    expect(ranges).toEqual([null, ...Array(5).fill('bytes=2000000-')])
    const entry = { name: 'broken.bin', sizeBytes: 5_000_000, sha256: expectedSha256(5_000_000) }
    await expectReadable(dir.file('a.zip'), [entry])
  }, 180_000)

  test.concurrent('leaves no file when it fails with nothing to resume from', async () => {
    using dir = tempDir()
    const broken = origin.url('/bytes/5000000/broken.bin?etag=none&last_modified=none&cut_at=2000000')
    expect((await run(dir, ['-o', 'a.zip', broken])).exitCode).toBe(1)
    expect(readdirSync(dir.path)).toEqual([])
  }, 180_000)

  test.concurrent('packs the other URLs with --keep-going', async () => {
    using dir = tempDir()
    const good = body(1000, 5)
    const { exitCode, stderr } = await run(dir, [
      '--keep-going',
      '-o',
      'a.zip',
      origin.url('/status/410'),
      good.url,
    ])
    expect(exitCode).toBe(0)
    expect(stderr).toContain(': HTTP 410\n')
    await expectReadable(dir.file('a.zip'), [good.entry])
  })

  test.concurrent('packs the other lines of a list with --keep-going, and names those that it can not fetch', async () => {
    using dir = tempDir()
    const good = body(1000, 7)
    const list = `${good.url}\nftp://user:secret@host/\x1b[31mred\n`
    const strict = await run(dir, ['-o', 'a.zip', '-i', '-'], list)
    expect(strict.exitCode).toBe(2)
    const { exitCode, stderr } = await run(dir, ['--keep-going', '-o', 'a.zip', '-i', '-'], list)
    expect(exitCode).toBe(0)
    for (const text of [strict.stderr, stderr]) {
      expect(text).toContain('line 2: expected an http or https URL')
      expect(text).not.toContain('secret')
      expect(text).not.toContain('\x1b')
    }
    await expectReadable(dir.file('a.zip'), [good.entry])
  })

  test.concurrent('prints one JSON object per line, and nothing else on stdout, with --json', async () => {
    using dir = tempDir()
    const { stdout } = await run(dir, [
      '--json',
      '--keep-going',
      '-o',
      'a.zip',
      origin.url('/status/410'),
      body(1000, 6).url,
    ])
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'entry', position: 0, status: 'failed', error: 'HTTP 410' }),
    )
    expect(events.at(-1)).toMatchObject({ event: 'end', status: 'completed', file_count: 1 })
  })

  for (const [signal, exitCode] of [
    ['SIGINT', 1],
    ['SIGKILL', 137],
  ] as const) {
    test.concurrent(`resumes after ${signal} and fetches only what is missing`, async () => {
      using dir = tempDir()
      const query = `&run=${signal}`
      const quick = [body(500_000, 7, query), body(30_000, 8, query)]
      const stalled = body(9_000_000, 9, `&stall_at=5000000&times=1${query}`)
      const args = ['-o', 'a.zip', ...[...quick, stalled].map(({ url }) => url)]
      const child = start(dir, args)
      const hasCheckpoint = async () => {
        if (!existsSync(dir.file('a.zip.part.json'))) return false
        const journal = await Bun.file(dir.file('a.zip.part.json')).text()
        return journal.includes('"partial"') && (journal.match(/"stored"/g)?.length ?? 0) >= quick.length
      }
      await until('the checkpoint has all that has come', hasCheckpoint)
      child.kill(signal)
      expect(await child.exited).toBe(exitCode)
      // A kill also leaves the lock file, but not the lock.
      const left = ['a.zip.part', 'a.zip.part.json', ...(signal === 'SIGKILL' ? ['a.zip.part.lock'] : [])]
      expect(readdirSync(dir.path).sort()).toEqual(left)

      expect((await run(dir, args)).exitCode).toBe(0)
      for (const { entry } of quick) {
        expect(
          origin.requests(`/bytes/${entry.sizeBytes}/${entry.name}?seed=${entry.name.slice(5, -4)}${query}`),
        ).toHaveLength(1)
      }
      await expectReadable(
        dir.file('a.zip'),
        [...quick, stalled].map(({ entry }) => entry),
      )
      expect(readdirSync(dir.path)).toEqual(['a.zip'])
    })
  }

  for (const [title, args] of [
    ['no URL', []],
    ['text that is not a URL', ['example']],
    ['another scheme', ['ftp://127.0.0.1/x']],
    ['URLs and a list', ['-i', 'list.txt', 'http://127.0.0.1/']],
    ['a missing list', ['-i', 'nowhere.txt']],
    ['a directory for the output', ['-o', '.', 'http://127.0.0.1/']],
    ['an unknown flag', ['--fast', 'http://127.0.0.1/']],
  ] as const) {
    test.concurrent(`prints one line and exits with 2 for wrong usage: ${title}`, async () => {
      using dir = tempDir()
      const { exitCode, stdout, stderr } = await run(dir, args)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toMatch(/^holdall: [^\n]+\n$/)
      expect(readdirSync(dir.path)).toEqual([])
    })
  }
})
