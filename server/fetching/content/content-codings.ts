// server/decisions/what-is-a-file.md says what a source may call a file.

import { FetchFailure } from '../attempts/fetch-failure.ts'
import { decodedText } from '../headers/header-text.ts'
import type { SourceResponse } from '../response.ts'

/** A content coding, by the first of its names (RFC 9110 section 8.4.1). */
export type ContentCoding = (typeof CODINGS)[number]['names'][0] | 'unknown'

/**
 * The content codings of a response, in the order in which they were applied. Words that name no coding are left out.
 * @throws FetchFailure `Unreadable content encoding` for too many codings
 */
export function contentCodings(headers: SourceResponse['headers']): readonly ContentCoding[] {
  const header = headers.get('content-encoding')
  if (header === null) return []
  const words = header
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
  const codings = words.filter((word) => !namesNoCoding(word))
  if (codings.length > MAX_CODINGS) throw new FetchFailure('Unreadable content encoding')
  return codings.map((word) => byName.get(word)?.names[0] ?? 'unknown')
}

/**
 * Whether the coding is the format of the file itself: servers such as Apache label `foo.tar.gz` as gzip-encoded, but the client
 * wants the compressed file, with its checksum.
 * @param names all that the file is called by: the paths of URLs, names in headers and those that were asked for
 * @param mediaType in lower case, without parameters
 */
export function isFormatOfFile(coding: ContentCoding, names: readonly string[], mediaType: string): boolean {
  const { extension, types } = byName.get(coding) ?? {}
  return (types?.includes(mediaType) ?? false) || names.some((name) => extension?.test(name) ?? false)
}

/** Servers write charsets, media types, and words of other headers there. */
function namesNoCoding(word: string): boolean {
  if (NO_CODINGS.has(word) || word.includes('/') || word.startsWith('charset=')) return true
  return !byName.has(word) && decodedText(new Uint8Array(), word) !== null
}

/** Some object stores keep `aws-chunked` from the upload. `binary` and the like are of MIME (RFC 2045 section 6.1). */
const NO_CODINGS: ReadonlySet<string> = new Set([
  '',
  'identity',
  'none',
  'null',
  'undefined',
  'plain',
  'text',
  'raw',
  'uncompressed',
  'chunked',
  'aws-chunked',
  'binary',
  '7bit',
  '8bit',
])

/** Two: a compressed file from a server that compresses again. Each coding costs a decoder and its memory. */
const MAX_CODINGS = 2

/** Extensions and media types are those of files of which the coding is the outermost format. */
const CODINGS = [
  {
    names: ['gzip', 'x-gzip'],
    extension: /\.(?:t?gz|taz|svgz|bgz|emz|wmz)$/i,
    types: [
      'application/gzip',
      'application/x-gzip',
      'application/x-tgz',
      'application/x-gtar',
      'application/x-gtar-compressed',
      'application/x-compressed-tar',
      'application/x-tar-gz',
    ],
  },
  { names: ['deflate'] },
  { names: ['br'], extension: /\.br$/i, types: ['application/x-brotli'] },
  { names: ['zstd'], extension: /\.(?:t?zst|zstd)$/i, types: ['application/zstd', 'application/x-zstd'] },
  {
    names: ['bzip2', 'x-bzip2', 'bz2', 'x-bzip'],
    extension: /\.(?:t?bz2?|tbz2)$/i,
    types: ['application/x-bzip2', 'application/x-bzip', 'application/x-bzip-compressed-tar'],
  },
  {
    names: ['xz', 'x-xz'],
    extension: /\.t?xz$/i,
    types: ['application/x-xz', 'application/x-xz-compressed-tar'],
  },
  { names: ['lzma', 'x-lzma'], extension: /\.(?:lzma|tlz)$/i, types: ['application/x-lzma'] },
  { names: ['compress', 'x-compress'], extension: /\.(?:t?z|taz)$/i, types: ['application/x-compress'] },
] as const satisfies readonly {
  readonly names: readonly [string, ...string[]]
  readonly extension?: RegExp
  readonly types?: readonly string[]
}[]

interface KnownCoding {
  readonly names: readonly [ContentCoding, ...string[]]
  readonly extension?: RegExp
  readonly types?: readonly string[]
}

const byName: ReadonlyMap<string, KnownCoding> = new Map(
  (CODINGS satisfies readonly KnownCoding[]).flatMap((coding: KnownCoding) =>
    coding.names.map((name): [string, KnownCoding] => [name, coding]),
  ),
)
