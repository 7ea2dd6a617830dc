// test group: long
import { describe, expect, test } from 'bun:test'
import { fetched } from '../../support/fetched.ts'
import { forFile } from '../../support/for-file.ts'
import { expectedSha256, startOrigin } from '../../support/origin.ts'

const origin = forFile(await startOrigin())

const SIZE = 200_000
const asSent = { sizeBytes: SIZE, sha256: expectedSha256(SIZE) }

describe('a coded body is decoded', () => {
  test.concurrent.each([
    'encoded/gzip',
    'encoded/x-gzip',
    'encoded/deflate',
    'encoded/raw-deflate',
    'encoded/br',
    'encoded/zstd',
    'encoded/gzip,br',
    'encoded/zstd,gzip',
    'two-streams/gzip',
    'two-streams/zstd',
    'split/gzip',
    'split/deflate',
    'split/raw-deflate',
    'split/br',
    'split/zstd',
  ])('%s', async (path) => {
    expect(await fetched(origin.url(`/${path}?size=${SIZE}`))).toMatchObject(asSent)
  })

  test.concurrent('of 0 bytes', async () => {
    expect(await fetched(origin.url('/encoded/zstd?size=0'))).toMatchObject({ sizeBytes: 0 })
  })
})

describe('words that name no coding are ignored', () => {
  test.concurrent.each([
    'none',
    'identity',
    'utf-8',
    'binary',
    'aws-chunked',
    'text/html',
    'charset=utf-8',
    'iso-8859-1',
    '8bit, utf-8',
    '',
  ])('%s', async (coding) => {
    const query = new URLSearchParams({ size: String(SIZE), coding })
    expect(await fetched(origin.url(`/labelled/x.bin?${query}`))).toMatchObject(asSent)
  })

  test.concurrent('beside one that does', async () => {
    const path = `/encoded/gzip?size=${SIZE}&label=aws-chunked,gzip`
    expect(await fetched(origin.url(path))).toMatchObject(asSent)
  })
})

describe('bytes stay as sent when the coding is that of the file', () => {
  test.concurrent.each([
    ['gzip', 'x.tar.gz'],
    ['x-gzip', 'x.tgz'],
    ['gzip', 'x.svgz'],
    ['gzip', 'x.vcf.bgz'],
    ['gzip', 'x.emz'],
    ['bzip2', 'x.tar.bz2'],
    ['x-bzip2', 'x.tbz2'],
    ['xz', 'x.tar.xz'],
    ['zstd', 'x.tar.zst'],
    ['br', 'x.js.br'],
    ['compress', 'x.tar.Z'],
  ])('%s, by the submitted URL: %s', async (coding, name) => {
    const path = `/labelled/${name}?size=${SIZE}&coding=${coding}`
    expect(await fetched(origin.url(path))).toMatchObject(asSent)
  })

  test.concurrent.each([
    [
      'the final URL',
      `/redirect/1?to=${encodeURIComponent(`/labelled/x.tar.gz?size=${SIZE}&coding=gzip`)}`,
      null,
    ],
    ['the name of the header', '/labelled/1?disposition=attachment;filename=x.tar.gz&coding=gzip', null],
    ['the name that was asked for', '/labelled/1?coding=gzip', 'x.tar.gz'],
    ['the media type', '/labelled/1?type=application/gzip&coding=gzip', null],
  ])('by %s', async (_, path, filename) => {
    expect(await fetched(origin.url(`${path}&size=${SIZE}`), { filename })).toMatchObject(asSent)
  })

  test.concurrent('and a second coding around the file is decoded', async () => {
    const path = `/encoded/gzip,br?size=${SIZE}&type=application/gzip`
    const alone = `/encoded/gzip?size=${SIZE}&type=application/gzip`
    const file = await fetched(origin.url(alone))
    expect(file).not.toMatchObject(asSent)
    expect(await fetched(origin.url(path))).toMatchObject({ sha256: sha256Of(file) })
  })
})

describe('what can not be decoded as a whole is "Unreadable content encoding"', () => {
  const CODINGS = ['gzip', 'deflate', 'raw-deflate', 'br', 'zstd']
  test.concurrent.each([
    ...CODINGS.flatMap((coding) => [
      `trailing-bytes/${coding}`,
      `trailing-chunk/${coding}`,
      `cut-stream/${coding}`,
    ]),
    'two-streams/deflate',
    'two-streams/br',
    'encoded/gzip,gzip,gzip',
    'encoded/br,br',
  ])('%s', async (path) => {
    expect(await fetched(origin.url(`/${path}?size=${SIZE}`))).toBe('Unreadable content encoding')
  })

  test.concurrent.each(['bzip2', 'xz', 'compress', 'pack200-gzip', 'aes128gcm', 'holdall'])(
    'the coding %s of a file that is not called so',
    async (coding) => {
      expect(await fetched(origin.url(`/labelled/x.csv?coding=${coding}`))).toBe(
        'Unreadable content encoding',
      )
    },
  )
})

test.concurrent.each(['gzip', 'deflate', 'br', 'zstd'])(
  'a coded body whose connection ends within its framing is "Connection closed early": %s',
  async (coding) => {
    expect(await fetched(origin.url(`/no-last-chunk/${coding}?size=${SIZE}`))).toBe('Connection closed early')
  },
)

function sha256Of(entry: Awaited<ReturnType<typeof fetched>>): string {
  return typeof entry === 'string' ? entry : entry.sha256
}
