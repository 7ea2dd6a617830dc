import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { forFile } from '../../support/for-file.ts'
import { resultOf, runCommand, startCommand } from '../../support/holdall-command.ts'
import { expectedSha256, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { type TempDir, tempDir } from '../../support/temp-dir.ts'

const origin = forFile(await startOrigin())

const zip = (dir: TempDir, ...args: readonly string[]) =>
  resultOf(startCommand(['zip', ...args], { cwd: dir.path, env: { HOLDALL_ALLOW_NETWORK: '127.0.0.0/8' } }))

/** Lets `sha256sum` and `holdall verify` check an archive. @returns how many files the latter compared */
async function checked(dir: TempDir, name: string): Promise<number> {
  const files = `${name}-files`
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  expect(Bun.spawnSync(['unzip', '-q', name, '-d', files], { cwd: dir.path, env }).exitCode).toBe(0)
  const sums = Bun.spawnSync(['sha256sum', '--check', '--strict', 'SHA256SUMS'], {
    cwd: dir.file(files),
    env,
  })
  expect(sums.exitCode).toBe(0)
  const verified = await runCommand(['verify', '--json', name], { cwd: dir.path })
  expect(verified.exitCode).toBe(0)
  const { findings, remarks, checksums } = JSON.parse(verified.stdout)
  expect([findings, remarks]).toEqual([[], []])
  return checksums.checked
}

const linesOf = (dir: TempDir, name: string) =>
  readFileSync(dir.file(`${name}-files/sources.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('holdall zip --manifest', () => {
  test('adds the two files, which sha256sum and holdall verify accept', async () => {
    using dir = tempDir()
    writeFileSync(
      dir.file('list'),
      ['/bytes/3000/a.bin\t-', '/bytes/70000/b.bin\tä/Übersicht.bin', '/bytes/9000/c.txt?type=text/plain']
        .map((line) => `${origin.url(line)}\n`)
        .join(''),
    )
    const { exitCode, stderr } = await zip(dir, '--manifest', '-o', 'a.zip', '-i', 'list')
    expect(stderr).toMatch(/^5 files, /m)
    expect(exitCode).toBe(0)
    expect(await checked(dir, 'a.zip')).toBe(4)
    expect(linesOf(dir, 'a.zip')).toMatchObject([
      { name: '-', size: 3000 },
      { name: 'ä/Übersicht.bin', size: 70_000 },
      { name: 'c.txt', content_type: 'text/plain', status: 200 },
    ])
  })

  test('goes on after a failure with what was fetched', async () => {
    using dir = tempDir()
    const urls = ['/bytes/90000/a.bin?run=again', '/bytes/500/b.bin?fail=1&fail_status=404&run=again'].map(
      origin.url,
    )
    writeFileSync(dir.file('list'), urls.join('\n'))
    const args = ['--manifest', '-o', 'a.zip', '-i', 'list']
    expect((await zip(dir, ...args)).exitCode).toBe(1)
    await fetch(urls[1] ?? '')
    const again = await zip(dir, '--keep-going', ...args)
    expect(again.exitCode).toBe(0)
    expect(existsSync(dir.file('a.zip.part.json'))).toBe(false)
    expect(await checked(dir, 'a.zip')).toBeGreaterThan(1)
    expect(origin.requests('/bytes/90000/a.bin?run=again')).toHaveLength(1)
  })

  test('of copies says what is known of the fetch that brought them', async () => {
    using dir = tempDir()
    const url = origin.url('/bytes/5000/a.bin?run=base-manifest')
    expect((await zip(dir, '--manifest', '--remember', '-o', 'a.zip', url)).exitCode).toBe(0)
    expect((await zip(dir, '--manifest', '--base', 'a.zip', '-o', 'b.zip', url)).exitCode).toBe(0)
    expect(
      (await zip(dir, '--manifest', '--base', 'b.zip', '--reuse', 'all', '-o', 'c.zip', url)).exitCode,
    ).toBe(0)
    for (const name of ['a.zip', 'b.zip', 'c.zip']) expect(await checked(dir, name)).toBe(2)
    const known = {
      url,
      content_type: 'application/octet-stream',
      etag: '"5000-1"',
      sha256: expectedSha256(5000),
    }
    expect(linesOf(dir, 'a.zip')).toMatchObject([{ ...known, status: 200 }])
    expect(linesOf(dir, 'b.zip')).toMatchObject([{ ...known, status: 304 }])
    expect(linesOf(dir, 'c.zip')).toEqual(linesOf(dir, 'b.zip'))
  })

  test('hides passwords and signatures', async () => {
    using dir = tempDir()
    const url = origin.url('/bytes/100/a.bin?X-Amz-Signature=m4rker').replace('://', '://user:m4rker@')
    expect((await zip(dir, '--manifest', '-H', 'X-Token: m4rker', '-o', 'a.zip', url)).exitCode).toBe(0)
    expect(await checked(dir, 'a.zip')).toBe(2)
    expect(readFileSync(dir.file('a.zip-files/sources.jsonl'), 'utf8')).not.toContain('m4rker')
  })
})

describe('A list with checksums', () => {
  test('takes the right files, and fails others as Checksum mismatch', async () => {
    using dir = tempDir()
    const [right, wrong] = ['/bytes/100/a.bin?run=list', '/bytes/200/b.bin?run=list'].map(origin.url)
    writeFileSync(
      dir.file('list'),
      `${right}\t\tsha256:${expectedSha256(100).toUpperCase()}\n${wrong}\tx.bin\tsha256:${'0'.repeat(64)}\n`,
    )
    const { exitCode, stderr } = await zip(dir, '--keep-going', '-o', 'a.zip', '-i', 'list')
    expect(stderr).toContain(`${wrong}: Checksum mismatch\n`)
    expect(exitCode).toBe(0)
    expect((await readZip(dir.file('a.zip'))).map(({ name }) => name)).toEqual(['a.bin'])
    expect(origin.requests('/bytes/200/b.bin?run=list')).toHaveLength(2)
  })

  test('refuses a checksum that no file can have, with exit code 2', async () => {
    using dir = tempDir()
    writeFileSync(dir.file('list'), `${origin.url('/ok')}\t\tsha256:abc\n`)
    const { exitCode, stderr } = await zip(dir, '-o', 'a.zip', '-i', 'list')
    expect(stderr).toContain('line 1: expected 64 hexadecimal digits after sha256:')
    expect(exitCode).toBe(2)
  })
})
