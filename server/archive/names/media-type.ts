// server/decisions/libraries.md says why this is our own.

import { copyOf } from '../../text/copy-of.ts'

/**
 * The file name extension of a `Content-Type`, with its dot. Empty when the type is absent, unknown or generic, such as
 * `application/octet-stream`.
 */
export function extensionOfMediaType(contentType: string | null): string {
  const type = essenceOf(contentType)
  const extension = extensions.get(type) ?? suffixExtensions.get(structuredSuffixOf(type))
  return extension === undefined ? '' : `.${extension}`
}

/**
 * Whether bodies of this `Content-Type` should be compressed: text, by the name of the type (`text/*`, the suffixes of
 * RFC 6839) or by its registration. Binary formats are stored. Most are compressed already, and for the others (bitmaps,
 * WebAssembly) the type doesn't tell whether compression is worth its time.
 */
export function isTextLike(contentType: string | null): boolean {
  const type = essenceOf(contentType)
  return type.startsWith('text/') || textTypes.has(type) || suffixExtensions.has(structuredSuffixOf(type))
}

/** The media type of a `Content-Type` without its parameters; null if there is none, or one that is too long to be one. */
export function mediaTypeIn(contentType: string | null): string | null {
  const type = essenceOf(contentType)
  return type === '' || type.length > MAX_TYPE_CHARACTERS ? null : copyOf(type)
}

/** RFC 6838 section 4.2: 127 characters on both sides of the slash. */
const MAX_TYPE_CHARACTERS = 255

/** Whether this `Content-Type` says that the body is a page. */
export function isHtmlType(contentType: string | null): boolean {
  return htmlTypes.has(essenceOf(contentType))
}

const htmlTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

/** Type and subtype only, in lower case (RFC 9110 section 8.3.1). If the header is repeated, the first value counts. */
function essenceOf(contentType: string | null): string {
  const text = contentType ?? ''
  const end = text.search(separator)
  return (end < 0 ? text : text.slice(0, end)).trim().toLowerCase()
}

const separator = /[;,]/

/** `json` of `application/problem+json` (RFC 6838 section 4.2.8). */
function structuredSuffixOf(type: string): string {
  return type.slice(type.lastIndexOf('+') + 1 || type.length)
}

/** Structured syntax suffixes (RFC 6839) that make a type text, and the extension that fits them. */
const suffixExtensions: ReadonlyMap<string, string> = new Map([
  ['json', 'json'],
  ['xml', 'xml'],
  ['yaml', 'yaml'],
])

/** Text types that can't be recognized by their names. */
const textTypes: ReadonlySet<string> = new Set([
  'application/ecmascript',
  'application/graphql',
  'application/javascript',
  'application/json',
  'application/jsonl',
  'application/mbox',
  'application/n-quads',
  'application/n-triples',
  'application/pgp-signature',
  'application/postscript',
  'application/rtf',
  'application/sql',
  'application/toml',
  'application/trig',
  'application/typescript',
  'application/vnd.apple.mpegurl',
  'application/x-httpd-php',
  'application/x-javascript',
  'application/x-ndjson',
  'application/x-sh',
  'application/x-subrip',
  'application/x-tex',
  'application/x-yaml',
  'application/xml',
  'application/xml-dtd',
  'application/yaml',
  'audio/mpegurl',
  'audio/x-mpegurl',
  'message/rfc822',
  'model/obj',
  'model/step',
])

/**
 * Common types of IANA's media type registry, and the unregistered names that servers send instead. Not those of `mime-db` 1.54: of
 * these 98, eleven have no extension there and eight an unusual one (`mpga`, `qt`, `ai`). It calls `application/octet-stream`
 * compressible and 19 of the text types above not.
 */
const extensions: ReadonlyMap<string, string> = new Map([
  ['application/epub+zip', 'epub'],
  ['application/geo+json', 'geojson'],
  ['application/gzip', 'gz'],
  ['application/java-archive', 'jar'],
  ['application/javascript', 'js'],
  ['application/json', 'json'],
  ['application/jsonl', 'jsonl'],
  ['application/ld+json', 'jsonld'],
  ['application/msword', 'doc'],
  ['application/pdf', 'pdf'],
  ['application/pgp-signature', 'asc'],
  ['application/postscript', 'ps'],
  ['application/rss+xml', 'rss'],
  ['application/atom+xml', 'atom'],
  ['application/rtf', 'rtf'],
  ['application/sql', 'sql'],
  ['application/toml', 'toml'],
  ['application/vnd.apache.parquet', 'parquet'],
  ['application/vnd.android.package-archive', 'apk'],
  ['application/vnd.apple.mpegurl', 'm3u8'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.ms-powerpoint', 'ppt'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.rar', 'rar'],
  ['application/vnd.sqlite3', 'sqlite'],
  ['application/wasm', 'wasm'],
  ['application/x-7z-compressed', '7z'],
  ['application/x-bzip2', 'bz2'],
  ['application/x-gzip', 'gz'],
  ['application/x-ndjson', 'ndjson'],
  ['application/x-rar-compressed', 'rar'],
  ['application/x-sh', 'sh'],
  ['application/x-tar', 'tar'],
  ['application/x-xz', 'xz'],
  ['application/x-yaml', 'yaml'],
  ['application/x-zip-compressed', 'zip'],
  ['application/xhtml+xml', 'xhtml'],
  ['application/xml', 'xml'],
  ['application/yaml', 'yaml'],
  ['application/zip', 'zip'],
  ['application/zstd', 'zst'],
  ['audio/aac', 'aac'],
  ['audio/flac', 'flac'],
  ['audio/midi', 'mid'],
  ['audio/mp4', 'm4a'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['audio/opus', 'opus'],
  ['audio/wav', 'wav'],
  ['audio/webm', 'weba'],
  ['audio/x-wav', 'wav'],
  ['font/otf', 'otf'],
  ['font/ttf', 'ttf'],
  ['font/woff', 'woff'],
  ['font/woff2', 'woff2'],
  ['image/avif', 'avif'],
  ['image/bmp', 'bmp'],
  ['image/gif', 'gif'],
  ['image/heic', 'heic'],
  ['image/jpeg', 'jpg'],
  ['image/jpg', 'jpg'],
  ['image/jxl', 'jxl'],
  ['image/png', 'png'],
  ['image/svg+xml', 'svg'],
  ['image/tiff', 'tiff'],
  ['image/vnd.microsoft.icon', 'ico'],
  ['image/webp', 'webp'],
  ['image/x-icon', 'ico'],
  ['message/rfc822', 'eml'],
  ['model/gltf-binary', 'glb'],
  ['model/gltf+json', 'gltf'],
  ['model/stl', 'stl'],
  ['text/calendar', 'ics'],
  ['text/css', 'css'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/javascript', 'js'],
  ['text/markdown', 'md'],
  ['text/plain', 'txt'],
  ['text/rtf', 'rtf'],
  ['text/tab-separated-values', 'tsv'],
  ['text/vcard', 'vcf'],
  ['text/vtt', 'vtt'],
  ['text/xml', 'xml'],
  ['text/yaml', 'yaml'],
  ['video/mp2t', 'ts'],
  ['video/mp4', 'mp4'],
  ['video/mpeg', 'mpeg'],
  ['video/ogg', 'ogv'],
  ['video/quicktime', 'mov'],
  ['video/webm', 'webm'],
  ['video/x-matroska', 'mkv'],
  ['video/x-msvideo', 'avi'],
])
