import { describe, expect, test } from 'bun:test'
import { readFileSync, renameSync } from 'node:fs'
import { flipByte } from '../../support/flip-byte.ts'
import { forFile } from '../../support/for-file.ts'
import { expectedSha256, startOrigin } from '../../support/origin.ts'
import { PYTHON } from '../../support/python.ts'
import { readZip } from '../../support/read-zip.ts'
import { expectReadable } from '../../support/readers.ts'
import { type TempDir, tempDir } from '../../support/temp-dir.ts'
import { type RunOptions, testJob } from '../../support/test-job.ts'

const origin = forFile(await startOrigin())
const WITH_MANIFEST: RunOptions = { order: { hasManifest: true } }

/** Unpacks an archive and lets `sha256sum` check it. */
function unpacked(dir: TempDir, zip = 'a.zip', sums = 'SHA256SUMS') {
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const inDir = { cwd: dir.path, env }
  expect(Bun.spawnSync(['unzip', '-qo', dir.file(zip), '-d', `${zip}-files`], inDir).exitCode).toBe(0)
  const cwd = dir.file(`${zip}-files`)
  const check = Bun.spawnSync(['sha256sum', '--check', '--strict', sums], { cwd, env })
  expect(check.stdout.toString() + check.stderr.toString()).not.toContain('FAILED')
  expect(check.exitCode).toBe(0)
  const text = (name: string) => readFileSync(`${cwd}/${name}`, 'utf8')
  return { checked: check.stdout.toString().trim().split('\n'), text }
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('The manifest', () => {
  test.concurrent('lists where each file came from, and sha256sum accepts its checksums', async () => {
    using dir = tempDir()
    const paths = [
      '/bytes/3000/a.bin?token=s3cret',
      '/status/404',
      `/raw-utf8-location?to=${encodeURIComponent('/bytes/40000/b%20c.pdf?type=application/pdf&X-Sig=s3cret')}`,
      '/bytes/20000/t.txt?type=text/plain;%20charset=utf-8&etag=none&last_modified=none',
      '/bytes/3000/a.bin?seed=2&etag=weak&last_modified=none',
    ]
    const startedMs = Date.now()
    const job = testJob(dir.file('a.zip'), paths.map(origin.url))
    expect(await job.run(WITH_MANIFEST)).toMatchObject({ status: 'completed', fileCount: 6 })
    const { checked, text } = unpacked(dir)
    expect(checked).toEqual(
      ['a.bin', 'raw-utf8-location.pdf', 't.txt', 'a (2).bin', 'sources.jsonl'].map((name) => `${name}: OK`),
    )
    const lines = linesOf(text('sources.jsonl'))
    const hidden = origin.url('/bytes/3000/a.bin?token=REDACTED')
    const common = {
      status: 200,
      fetched_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    }
    expect(lines).toEqual([
      {
        ...common,
        name: 'a.bin',
        url: hidden,
        final_url: hidden,
        content_type: 'application/octet-stream',
        etag: '"3000-1"',
        last_modified: '2025-03-04T05:06:08.000Z',
        size: 3000,
        sha256: expectedSha256(3000),
      },
      {
        ...common,
        name: 'raw-utf8-location.pdf',
        // The value holds a signature of its own.
        url: origin.url('/raw-utf8-location?to=REDACTED'),
        final_url: origin.url('/bytes/40000/b%20c.pdf?type=application/pdf&X-Sig=REDACTED'),
        content_type: 'application/pdf',
        etag: '"40000-1"',
        last_modified: '2025-03-04T05:06:08.000Z',
        size: 40_000,
        sha256: expectedSha256(40_000),
      },
      {
        ...common,
        name: 't.txt',
        url: origin.url(paths[3] ?? ''),
        final_url: origin.url(paths[3] ?? ''),
        content_type: 'text/plain; charset=utf-8',
        etag: null,
        last_modified: null,
        size: 20_000,
        sha256: expectedSha256(20_000),
      },
      expect.objectContaining({ name: 'a (2).bin', etag: 'W/"3000-2"', last_modified: null }),
    ])
    for (const { fetched_at } of lines) expect(Date.parse(fetched_at)).toBeWithin(startedMs, Date.now() + 1)
    const entries = await readZip(job.archivePath)
    await expectReadable(
      job.archivePath,
      entries.map(({ name, sha256, sizeBytes }) => ({ name, sha256, sizeBytes })),
    )
  })

  test.concurrent('is last, also in the file, and gives way to files of its names', async () => {
    using dir = tempDir()
    const sources = [
      { url: origin.url('/bytes/100/SHA256SUMS?type=application/octet-stream'), filename: 'SHA256SUMS' },
      { url: origin.url('/bytes/50000/x'), filename: 'sources.jsonl' },
      { url: origin.url('/bytes/60/-'), filename: '-' },
      { url: origin.url('/bytes/70/x'), filename: 'Übersicht/ä b.bin' },
      { url: origin.url('/bytes/80/x'), filename: 'sha256sums' },
    ]
    const job = testJob(dir.file('a.zip'), sources)
    await job.run(WITH_MANIFEST)
    const entries = await readZip(job.archivePath)
    expect(entries.map(({ name }) => name)).toEqual([
      'SHA256SUMS',
      'sources.jsonl',
      '-',
      'Übersicht/ä b.bin',
      'sha256sums (2)',
      'sources (2).jsonl',
      'SHA256SUMS (3)',
    ])
    expect(entries[0]).toMatchObject({ sha256: expectedSha256(100) })
    const { checked } = unpacked(dir, 'a.zip', 'SHA256SUMS (3)')
    expect(checked).toHaveLength(6)
    const [sourcesOffset, sumsOffset, ...others] = offsetsIn(job.archivePath).toReversed()
    expect(Number(sumsOffset)).toBeLessThan(Number(sourcesOffset))
    for (const offset of others) expect(offset).toBeLessThan(Number(sumsOffset))
  })

  test.concurrent('is not in a gap that a failed body has left', async () => {
    using dir = tempDir()
    const paths = ['/bytes/100000/a.bin?cut_at=50000&etag=none&last_modified=none', '/bytes/20000/b.bin']
    const job = testJob(dir.file('a.zip'), paths.map(origin.url))
    expect(await job.run(WITH_MANIFEST)).toMatchObject({ status: 'completed', fileCount: 3 })
    expect(offsetsIn(job.archivePath).toSorted((a, b) => a - b)).toEqual(offsetsIn(job.archivePath))
    expect(unpacked(dir).checked).toEqual(['b.bin: OK', 'sources.jsonl: OK'])
  })

  test.concurrent('of many long URLs is written in pieces, and read by all', async () => {
    using dir = tempDir()
    const paths = Array.from({ length: 700 }, (_, at) => `/bytes/10/${at}.bin?q=${`${at}-`.repeat(700)}`)
    const job = testJob(dir.file('a.zip'), paths.map(origin.url))
    expect(await job.run(WITH_MANIFEST)).toMatchObject({ status: 'completed', fileCount: 702 })
    const { checked, text } = unpacked(dir)
    expect(checked).toHaveLength(701)
    expect(linesOf(text('sources.jsonl')).map(({ url }) => url)).toEqual(paths.map(origin.url))
  })

  test.concurrent('counts in the size limit', async () => {
    using dir = tempDir()
    const url = origin.url('/bytes/100000/a.bin?run=limit')
    const order = { hasManifest: true, maxZipBytes: 100_300 }
    expect(
      await testJob(dir.file('a.zip'), [url]).run({ order: { ...order, hasManifest: false } }),
    ).toMatchObject({
      status: 'completed',
    })
    expect(await testJob(dir.file('b.zip'), [url]).run({ order })).toMatchObject({
      status: 'failed',
      failure: { code: 'ZIP_SIZE_EXCEEDED' },
    })
  })
})

describe('A job with a manifest that stops', () => {
  test.concurrent('before its archive is renamed makes the same archive again, without a fetch', async () => {
    using dir = tempDir()
    const paths = ['/bytes/3000/a.bin', '/bytes/40000/b.bin', '/bytes/9000/c.txt?type=text/plain']
    const urls = paths.map((path) => origin.url(`${path}${path.includes('?') ? '&' : '?'}run=unrenamed`))
    const job = testJob(dir.file('a.zip'), urls)
    const first = await job.run(WITH_MANIFEST)
    const bytes = readFileSync(job.archivePath)
    const { length: requests } = origin.requests('/bytes/3000/a.bin?run=unrenamed')
    renameSync(job.archivePath, `${job.archivePath}.part`)
    const second = await job.run(WITH_MANIFEST)
    expect(second).toMatchObject({ status: 'completed', fileCount: 5 })
    expect(second).toEqual(first)
    expect(Buffer.compare(readFileSync(job.archivePath), bytes)).toBe(0)
    expect([requests, origin.requests('/bytes/3000/a.bin?run=unrenamed').length]).toEqual([1, 1])
  })

  test.concurrent('after its archive was renamed completes without a fetch', async () => {
    using dir = tempDir()
    const [path = ''] = ['/bytes/3000/a.bin?run=renamed']
    const job = testJob(dir.file('a.zip'), [origin.url(path)])
    const first = await job.run(WITH_MANIFEST)
    const bytes = readFileSync(job.archivePath)
    expect(await job.run(WITH_MANIFEST)).toEqual(first)
    expect(Buffer.compare(readFileSync(job.archivePath), bytes)).toBe(0)
    expect(origin.requests(path)).toHaveLength(1)
  })

  test.concurrent('after that, with damage, fetches what is damaged and makes the manifest again', async () => {
    using dir = tempDir()
    const urls = ['/bytes/30000/a.bin?run=damaged', '/bytes/3000/b.bin?run=damaged'].map(origin.url)
    const job = testJob(dir.file('a.zip'), urls)
    await job.run(WITH_MANIFEST)
    flipByte(job.archivePath, 5_000)
    expect(await job.run(WITH_MANIFEST)).toMatchObject({ status: 'completed', fileCount: 4 })
    expect(unpacked(dir).checked).toEqual(['a.bin: OK', 'b.bin: OK', 'sources.jsonl: OK'])
  })
})

/** Where the entries are in the file, in the order of the directory. */
function offsetsIn(zipPath: string): number[] {
  const script =
    'import json,sys,zipfile; print(json.dumps([i.header_offset for i in zipfile.ZipFile(sys.argv[1]).infolist()]))'
  return JSON.parse(Bun.spawnSync([PYTHON, '-c', script, zipPath]).stdout.toString())
}
