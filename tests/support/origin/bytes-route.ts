import { deterministicBytes } from './deterministic-bytes.ts'
import type { Reply } from './http-server.ts'
import type { OriginRequest } from './read-requests.ts'

/**
 * `/bytes/<size>[/<name>]`: a deterministic body that a well-behaved source would give, and by its query every way
 * in which a source may misbehave. Of `count`, the how-many-th request for this very URL it is.
 *
 * | query | |
 * |---|---|
 * | `seed`, `type` | which body, and its Content-Type |
 * | `etag` | `strong` (as it is), `weak`, `changing` (another at each request), `none` |
 * | `ranges` | `yes` (as it is), `ignored` (200 with all), `wrong` (206 that says other positions than asked) |
 * | `framing` | `length` (as it is), `chunked`, `close` |
 * | `cut_at`, `reset_at`, `stall_at` | the body breaks off after so many of its bytes |
 * | `times` | ... at the first so many requests only |
 * | `surplus` | so many bytes more than the Content-Length says |
 * | `bytes_per_second` | a slow trickle, in pieces of a tenth of that or less |
 * | `disposition`, `disposition_latin1` | Content-Disposition, in raw UTF-8 or Latin-1 |
 */
export function bytesReply(request: OriginRequest, count: number): Reply {
  const { query } = request
  const sizeBytes = Number(request.path.split('/')[2])
  const seed = Number(query.get('seed') ?? 1)
  const etag = etagOf(query.get('etag') ?? 'strong', `${sizeBytes}-${seed}`, count)
  const fromByte = rangeStart(request, etag, sizeBytes)
  const framing = framingOf(query.get('framing'))
  const breakage = count <= Number(query.get('times') ?? Infinity) ? breakageOf(query) : undefined
  const whole = deterministicBytes(sizeBytes, seed, fromByte ?? 0)
  const kept = breakage === undefined ? whole : firstOf(whole, breakage.atByte - (fromByte ?? 0))
  const pace = query.get('bytes_per_second')
  return {
    status: fromByte === undefined ? 200 : 206,
    headers: {
      'Content-Type': query.get('type') ?? 'application/octet-stream',
      'Last-Modified': LAST_MODIFIED,
      'Accept-Ranges': 'bytes',
      ...(etag === undefined ? {} : { ETag: etag }),
      ...(framing === 'length' ? { 'Content-Length': String(sizeBytes - (fromByte ?? 0)) } : {}),
      ...(fromByte === undefined ? {} : { 'Content-Range': contentRange(query, fromByte, sizeBytes) }),
      ...dispositionOf(query),
    },
    framing,
    body: pace === null ? followedBy(kept, Number(query.get('surplus') ?? 0)) : trickle(kept, Number(pace)),
    ending: breakage?.ending ?? 'whole',
  }
}

const LAST_MODIFIED = 'Tue, 04 Mar 2025 05:06:08 GMT'

function etagOf(kind: string, version: string, count: number): string | undefined {
  if (kind === 'none') return undefined
  if (kind === 'weak') return `W/"${version}"`
  return kind === 'changing' ? `"${version}-${count}"` : `"${version}"`
}

/** The first byte asked for, where a range is asked for, served, and If-Range fits (RFC 9110 section 13.1.5). */
function rangeStart(request: OriginRequest, etag: string | undefined, sizeBytes: number): number | undefined {
  if (request.query.get('ranges') === 'ignored') return undefined
  const asked = /^bytes=(\d+)-$/.exec(request.headers.get('range') ?? '')?.[1]
  if (asked === undefined || Number(asked) >= sizeBytes) return undefined
  const condition = request.headers.get('if-range')
  const isFresh = condition === null || condition === LAST_MODIFIED || condition === etag
  return isFresh && !condition?.startsWith('W/') ? Number(asked) : undefined
}

function contentRange(query: URLSearchParams, fromByte: number, sizeBytes: number): string {
  const shift = query.get('ranges') === 'wrong' ? 1 : 0
  return `bytes ${fromByte - shift}-${sizeBytes - 1 - shift}/${sizeBytes}`
}

function framingOf(asked: string | null): 'length' | 'chunked' | 'close' {
  return asked === 'chunked' || asked === 'close' ? asked : 'length'
}

function breakageOf(query: URLSearchParams) {
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

async function* trickle(parts: Iterable<Uint8Array>, bytesPerSecond: number): AsyncGenerator<Uint8Array> {
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
