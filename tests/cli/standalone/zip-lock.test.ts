import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { forFile } from '../../support/for-file.ts'
import { resultOf, startCommand } from '../../support/holdall-command.ts'
import { expectedSha256, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { startSources } from '../../support/sources.ts'
import { type TempDir, tempDir } from '../../support/temp-dir.ts'
import { until } from '../../support/until.ts'

const CONTENDER = join(import.meta.dir, '../../support/lock-contender.ts')
const origin = forFile(await startOrigin())

function zip(dir: TempDir, output: string, urls: readonly string[]) {
  return startCommand(['zip', '-o', output, ...urls], {
    cwd: dir.path,
    env: { HOLDALL_ALLOW_NETWORK: '127.0.0.0/8' },
  })
}

const WHOLE = [
  { name: 'a.bin', sizeBytes: 1000, sha256: expectedSha256(1000) },
  { name: 'b.bin', sizeBytes: 100_000, sha256: expectedSha256(100_000) },
]

describe('Several holdall zip commands for one file', () => {
  test('the second fails with exit code 1, whatever path it uses for the file, and the first completes', async () => {
    using dir = tempDir()
    mkdirSync(dir.file('sub'))
    symlinkSync(dir.path, dir.file('link'))
    await using sources = startSources()
    const urls = [sources.url('/ok/a'), sources.url('/slow')]
    const child = zip(dir, 'same.zip', urls)
    await until('the first command has begun its archive', () => existsSync(dir.file('same.zip.part')))
    for (const name of ['same.zip', './sub/../same.zip', 'link/same.zip', join(dir.path, 'same.zip')]) {
      const { exitCode, stderr } = await resultOf(zip(dir, name, urls))
      expect([name, exitCode]).toEqual([name, 1])
      expect(stderr).toMatch(/^holdall: Another holdall zip is writing .*same\.zip.* -o\.\n$/)
    }
    sources.release()
    expect(await child.exited).toBe(0)
    expect(await readZip(dir.file('same.zip'))).toMatchObject([{ name: 'a.txt' }, { name: 'slow.txt' }])
    expect(readdirSync(dir.path).sort()).toEqual(['link', 'same.zip', 'sub'])
  })

  test('the next command after a kill continues at once and leaves only the archive', async () => {
    using dir = tempDir()
    await using sources = startSources()
    const urls = [sources.url('/ok/a'), sources.url('/slow')]
    const child = zip(dir, 'same.zip', urls)
    await until('the first command has begun its archive', () => existsSync(dir.file('same.zip.part')))
    child.kill('SIGKILL')
    await child.exited
    sources.release()
    expect(await zip(dir, 'same.zip', urls).exited).toBe(0)
    expect(await readZip(dir.file('same.zip'))).toMatchObject([{ name: 'a.txt' }, { name: 'slow.txt' }])
    expect(readdirSync(dir.path)).toEqual(['same.zip'])
  })

  test('each of many simultaneous commands either packs the whole archive or is refused', async () => {
    using dir = tempDir()
    const urls = [origin.url('/bytes/1000/a.bin?many'), origin.url('/bytes/100000/b.bin?many')]
    const codes = await Promise.all(Array.from({ length: 6 }, () => zip(dir, 'same.zip', urls).exited))
    expect(codes).toContain(0)
    expect(codes.filter((code) => code !== 0 && code !== 1)).toEqual([])
    expect(await readZip(dir.file('same.zip'))).toMatchObject(WHOLE)
    expect(readdirSync(dir.path)).toEqual(['same.zip'])
  })

  test('a symbolic link in place of the lock is not followed', async () => {
    using dir = tempDir()
    symlinkSync(dir.file('elsewhere'), dir.file('same.zip.part.lock'))
    expect(await zip(dir, 'same.zip', [origin.url('/bytes/1000/a.bin')]).exited).toBe(1)
    expect(existsSync(dir.file('elsewhere'))).toBe(false)
  })
})

test('at most one process holds a lock file, even though each process deletes the file when it unlocks', async () => {
  using dir = tempDir()
  const children = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, CONTENDER, dir.file('lock'), '150'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const results = await Promise.all(children.map((child) => child.stdout.text()))
  expect(results).toEqual(Array.from({ length: 4 }, () => '150 exclusive\n'))
  expect(readdirSync(dir.path)).toEqual([])
})
