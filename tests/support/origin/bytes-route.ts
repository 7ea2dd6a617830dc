import { deterministicBytes } from './deterministic-bytes.ts'
import type { Reply } from './http-server.ts'
import { lyingReply } from './lying-ranges.ts'
import type { OriginRequest } from './read-requests.ts'

/**
 * `/bytes/<size>[/<name>]`: a deterministic body. The query selects in which ways the source misbehaves. `count` is the
 * number of requests for this URL so far, including this one.
 *
 * | query | |
 * |---|---|
 * | `seed`, `type` | selects the body and its Content-Type |
 * | `etag` | `strong` (default), `weak`, `changing` (another for each request), `none` |
 * | `last_modified` | `fixed` (default), `recent` (a second before each response), `none` |
 * | `changes_at` | from this request on, the body has the next seed, another ETag and another Last-Modified |
 * | `ranges` | `yes` (default), `ignored` (200 with the whole body), `wrong` (206 with another Content-Range) |
 * | `accepts` | `none`: without Accept-Ranges |
 * | `lie`, `lies_from` | how ranges lie, from this request on (2 by default): see `lying-ranges.ts` |
 * | `framing` | `length` (default), `chunked`, `close` |
 * | `cut_at`, `reset_at`, `stall_at` | the position at which the body breaks off |
 * | `cut_after` | the same, counted from the begin of each response: a body that comes in many parts |
 * | `times` | the number of requests for which it breaks off; later ones get the whole body |
 * | `surplus` | the number of bytes sent in excess of the Content-Length |
 * | `bytes_per_second` | limits the speed; pieces hold a tenth of a second or less |
 * | `disposition`, `disposition_latin1` | Content-Disposition in UTF-8 or Latin-1 |
 */
export function bytesReply(request: OriginRequest, count: number): Reply {
  const { query } = request
  const sizeBytes = Number(request.path.split('/')[2])
  const hasChanged = count >= Number(query.get('changes_at') ?? Infinity)
  const seed = Number(query.get('seed') ?? 1) + Number(hasChanged)
  const lastModified = lastModifiedOf(query.get('last_modified') ?? 'fixed', hasChanged)
  const etag = etagOf(query.get('etag') ?? 'strong', `${sizeBytes}-${seed}`, count)
  if (isUnchanged(request, etag, lastModified))
    return { status: 304, headers: etag === undefined ? {} : { ETag: etag } }
  const range = rangeOf(request, etag, sizeBytes)
  const { start = undefined, end: endByte = sizeBytes } = range ?? {}
  const fromByte = start
  const lie = count >= Number(query.get('lies_from') ?? 2) ? query.get('lie') : null
  if (range !== undefined && lie !== null)
    return lyingReply(lie, { ...range, sizeBytes, seed, etag: etag ?? '' })
  const framing = framingOf(query.get('framing'))
  const breakage =
    count <= Number(query.get('times') ?? Infinity) ? breakageOf(query, fromByte ?? 0) : undefined
  const whole = deterministicBytes(endByte, seed, fromByte ?? 0)
  const kept = breakage === undefined ? whole : firstOf(whole, breakage.atByte - (fromByte ?? 0))
  const speed = query.get('bytes_per_second')
  return {
    status: fromByte === undefined ? 200 : 206,
    headers: {
      'Content-Type': query.get('type') ?? 'application/octet-stream',
      ...(query.get('accepts') === 'none' ? {} : { 'Accept-Ranges': 'bytes' }),
      ...(lastModified === undefined ? {} : { 'Last-Modified': lastModified }),
      ...(etag === undefined ? {} : { ETag: etag }),
      ...(framing === 'length' ? { 'Content-Length': String(endByte - (fromByte ?? 0)) } : {}),
      ...(fromByte === undefined
        ? {}
        : { 'Content-Range': contentRange(query, fromByte, endByte, sizeBytes) }),
      ...dispositionOf(query),
    },
    framing,
    body: speed === null ? followedBy(kept, Number(query.get('surplus') ?? 0)) : slowed(kept, Number(speed)),
    ending: breakage?.ending ?? 'whole',
  }
}

const LAST_MODIFIED = 'Tue, 04 Mar 2025 05:06:08 GMT'
const CHANGED = 'Wed, 05 Mar 2025 05:06:08 GMT'

function lastModifiedOf(kind: string, hasChanged: boolean): string | undefined {
  if (kind === 'none') return undefined
  if (kind === 'recent') return new Date(Date.now() - 1000).toUTCString()
  return hasChanged ? CHANGED : LAST_MODIFIED
}

/** RFC 9110, sections 13.1.2 and 13.1.3. */
function isUnchanged(
  { headers }: OriginRequest,
  etag: string | undefined,
  lastModified: string | undefined,
): boolean {
  const known = headers.get('if-none-match')
  const since = headers.get('if-modified-since')
  if (known !== null) return etag !== undefined && withoutWeak(known) === withoutWeak(etag)
  return since !== null && lastModified !== undefined && Date.parse(lastModified) <= Date.parse(since)
}

function withoutWeak(etag: string): string {
  return etag.replace(/^W\//, '')
}

function etagOf(kind: string, version: string, count: number): string | undefined {
  if (kind === 'none') return undefined
  if (kind === 'weak') return `W/"${version}"`
  return kind === 'changing' ? `"${version}-${count}"` : `"${version}"`
}

/** The requested bytes; undefined if the response is the whole body (RFC 9110, section 13.1.5 for If-Range). */
function rangeOf(request: OriginRequest, etag: string | undefined, sizeBytes: number) {
  if (request.query.get('ranges') === 'ignored') return undefined
  const [, start, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '') ?? []
  if (start === undefined || Number(start) >= sizeBytes) return undefined
  const condition = request.headers.get('if-range')
  const isFresh = condition === null || condition === LAST_MODIFIED || condition === etag
  if (!isFresh || condition?.startsWith('W/')) return undefined
  return { start: Number(start), end: last ? Math.min(Number(last) + 1, sizeBytes) : sizeBytes }
}

function contentRange(query: URLSearchParams, fromByte: number, endByte: number, sizeBytes: number): string {
  const shift = query.get('ranges') === 'wrong' ? 1 : 0
  return `bytes ${fromByte - shift}-${endByte - 1 - shift}/${sizeBytes}`
}

function framingOf(text: string | null): 'length' | 'chunked' | 'close' {
  return text === 'chunked' || text === 'close' ? text : 'length'
}

function breakageOf(query: URLSearchParams, fromByte: number) {
  const cutAfter = query.get('cut_after')
  if (cutAfter !== null) return { ending: 'cut', atByte: fromByte + Number(cutAfter) } as const
  for (const ending of ['cut', 'reset', 'stall'] as const) {
    const at = query.get(`${ending}_at`)
    if (at !== null) return { ending, atByte: Number(at) }
  }
  return undefined
}

function* firstOf(parts: Iterable<Uint8Array>, sizeBytes: number): Generator<Uint8Array> {
  let left = sizeBytes
  for (const part of parts) {
    if (left <= 0) return
    yield part.subarray(0, left)
    left -= part.length
  }
}

function* followedBy(parts: Iterable<Uint8Array>, surplusBytes: number): Generator<Uint8Array> {
  yield* parts
  if (surplusBytes > 0) yield new Uint8Array(surplusBytes).fill(0x58)
}

async function* slowed(parts: Iterable<Uint8Array>, bytesPerSecond: number): AsyncGenerator<Uint8Array> {
  const pieceBytes = Math.max(1, Math.floor(bytesPerSecond / 10))
  for (const part of parts) {
    for (let at = 0; at < part.length; at += pieceBytes) {
      const piece = part.subarray(at, at + pieceBytes)
      yield piece
      await Bun.sleep((1000 * piece.length) / bytesPerSecond)
    }
  }
}

function dispositionOf(query: URLSearchParams): Record<string, string> {
  const latin1 = query.get('disposition_latin1')
  const utf8 = query.get('disposition')
  const value = latin1 ?? (utf8 === null ? null : Buffer.from(utf8, 'utf8').toString('latin1'))
  return value === null ? {} : { 'Content-Disposition': value }
}
