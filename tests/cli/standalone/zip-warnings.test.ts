import { describe, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { forFile } from '../../support/for-file.ts'
import { resultOf, startCommand } from '../../support/holdall-command.ts'
import { startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { type TempDir, tempDir } from '../../support/temp-dir.ts'

const origin = forFile(await startOrigin())

const start = (dir: TempDir, ...args: readonly string[]) =>
  startCommand(['zip', '-o', 'a.zip', ...args], {
    cwd: dir.path,
    env: { HOLDALL_ALLOW_NETWORK: '127.0.0.0/8' },
  })

const zip = (dir: TempDir, ...args: readonly string[]) => resultOf(start(dir, ...args))

const PAGE = 'The source sent a web page in place of a .pdf file. Open the link to see what the page says.'
const EMPTY = 'The source sent a file of 0 bytes. Open the link to see whether the file is still there.'

describe('holdall zip prints warnings', () => {
  test('one line each, in the order of the list, and how many files look wrong', async () => {
    using dir = tempDir()
    const urls = ['/empty/a.bin', '/files/report.pdf', '/page/c.pdf?coding=gzip'].map(origin.url)
    const { exitCode, stderr } = await zip(dir, ...urls)
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/^[^\n]+\n[^\n]+\n3 files, [^\n]+\. 2 files look wrong\n$/)
    expect(stderr.split('\n').slice(0, 2)).toEqual([`${urls[0]}: ${EMPTY}`, `${urls[2]}: ${PAGE}`])
    expect((await readZip(dir.file('a.zip'))).map(({ name }) => name)).toEqual([
      'a.bin',
      'report.pdf',
      'c.pdf',
    ])
  })

  test('also those of an earlier run of the same list, and in the events of --json', async () => {
    using dir = tempDir()
    const urls = [origin.url('/page/a.pdf'), origin.url('/empty/b.bin?fail=1000&fail_status=404&run=json')]
    const events = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    const first = await zip(dir, '--json', ...urls)
    expect(first.exitCode).toBe(1)
    expect(events(first.stdout)).toContainEqual(
      expect.objectContaining({
        event: 'entry',
        status: 'stored',
        warning: { code: 'HTML_INSTEAD', message: PAGE },
      }),
    )
    const again = await zip(dir, '--keep-going', ...urls)
    expect(again.exitCode).toBe(0)
    expect(again.stderr).toContain(`${urls[0]}: ${PAGE}\n1 file, `)
    expect(again.stderr).toEndWith(', without 1 that failed. 1 file looks wrong\n')
    expect(origin.requests('/page/a.pdf')).toHaveLength(1)
  })

  test('of an archive that is a base, for the entries that are copied', async () => {
    using dir = tempDir()
    const url = origin.url('/page/base.pdf')
    expect((await zip(dir, '--remember', url)).exitCode).toBe(0)
    const { stderr } = await zip(dir, '--base', 'a.zip', '--reuse', 'all', '-o', 'b.zip', url)
    expect(stderr).toContain(`${url}: ${PAGE}\n`)
    expect(origin.requests('/page/base.pdf')).toHaveLength(1)
  })
})

describe('--fail-on-warning', () => {
  test('ends with 1, and without --keep-going there is no archive', async () => {
    using dir = tempDir()
    writeFileSync(dir.file('list.txt'), `${origin.url('/page/a.pdf')}\n${origin.url('/files/report.pdf')}\n`)
    const { exitCode, stderr } = await zip(dir, '--fail-on-warning', '-i', 'list.txt')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('/page/a.pdf: Unexpected HTML\n')
    expect(stderr).toContain('1 of 2 URLs could not be fetched.')
    expect(readdirSync(dir.path)).not.toContain('a.zip')
  })

  test('with --keep-going leaves such files out, and ends with 1', async () => {
    using dir = tempDir()
    const urls = ['/page/a.pdf', '/files/report.pdf', '/empty/c.bin'].map(origin.url)
    const { exitCode, stderr } = await zip(dir, '--fail-on-warning', '--keep-going', ...urls)
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`${urls[0]}: Unexpected HTML\n${urls[2]}: Empty file\n`)
    expect((await readZip(dir.file('a.zip'))).map(({ name }) => name)).toEqual(['report.pdf'])
  })

  test('ends with 0 when nothing looks wrong', async () => {
    using dir = tempDir()
    const { exitCode, stderr } = await zip(dir, '--fail-on-warning', origin.url('/files/report.pdf'))
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(/^1 file, [^.]+\.\d+ k?B\n$|^1 file, \d+ B\n$/i),
    })
  })
})
