import { FetchFailure } from './fetch-failure.ts'
import type { SourceResponse } from './response.ts'

/** A content coding, by the first of its names (RFC 9110 section 8.4.1 and IANA's registry). */
export type ContentCoding = (typeof CODINGS)[number]['names'][0]

/**
 * The content codings of a response, in the order in which they were applied. Other words name no coding: `identity`, `none`, a
 * charset, a transfer encoding such as `binary`, or `aws-chunked`, which some object stores keep from the upload.
 * @throws FetchFailure `Unreadable content encoding` for too many codings
 */
export function contentCodings(headers: SourceResponse['headers']): readonly ContentCoding[] {
  const header = headers.get('content-encoding')
  if (header === null) return []
  const codings = header
    .toLowerCase()
    .split(',')
    .map((word) => byName.get(word.trim()))
    .filter((coding) => coding !== undefined)
  if (codings.length > MAX_CODINGS) throw new FetchFailure('Unreadable content encoding')
  return codings.map(({ names: [name] }) => name)
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
  { names: ['aes128gcm'] },
  { names: ['dcb'] },
  { names: ['dcz'] },
  { names: ['exi'] },
  { names: ['pack200-gzip'] },
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
