import { deterministicBytes } from './deterministic-bytes.ts'
import type { Reply } from './http-server.ts'

/** The part of a body that a request asked for. */
export interface RequestedRange {
  readonly start: number
  /** The byte after the last one. */
  readonly end: number
  /** Of the whole body. */
  readonly sizeBytes: number
  readonly seed: number
  readonly etag: string
}

/** The ways in which a host may answer a request for a part with something else. None of their bytes may get into an entry. */
export const LIES: Readonly<Record<string, (range: RequestedRange) => Reply>> = {
  'other-start': (range) => part(range, { start: range.start - 1 }),
  'other-end': (range) => part(range, { end: range.end - 1 }),
  'other-total': (range) => part(range, { sizeBytes: range.sizeBytes + 1 }),
  'unknown-total': (range) => part(range, {}, { 'Content-Range': `bytes ${range.start}-${range.end - 1}/*` }),
  'other-tag': (range) => part(range, {}, { ETag: '"other"' }),
  'weak-tag': (range) => part(range, {}, { ETag: `W/${range.etag}` }),
  'other-time': (range) => part(range, {}, { 'Last-Modified': 'Wed, 05 Mar 2025 05:06:08 GMT' }),
  coded: (range) => part(range, {}, { 'Content-Encoding': 'gzip' }),
  whole: (range) => whole(range),
  'part-as-200': (range) => ({ ...part(range), status: 200 }),
  'no-range': (range) => ({ ...whole(range), status: 206 }),
  several: (range) =>
    part(range, {}, { 'Content-Type': 'multipart/byteranges; boundary=x', 'Content-Range': '' }),
  shorter: (range) => chunked(range, range.start, range.end - 1),
  longer: (range) => chunked(range, range.start, range.end + 1),
  'declared-shorter': (range) => {
    const { headers, ...rest } = part(range)
    return { ...rest, headers: { ...headers, 'Content-Length': String(range.end - range.start - 1) } }
  },
  forbidden: () => ({ status: 403, headers: { 'Content-Length': '0' } }),
  unsatisfiable: () => ({ status: 416, headers: { 'Content-Length': '0' } }),
  elsewhere: () => ({ status: 302, headers: { Location: '/bytes/10/other.bin', 'Content-Length': '0' } }),
}

export function lyingReply(lie: string, range: RequestedRange): Reply {
  const reply = LIES[lie]
  if (reply === undefined) throw new Error(`there is no lie called ${lie}`)
  return reply(range)
}

/** Bytes of another body, so that each of them is noticed. */
function wrongBytes({ seed }: RequestedRange, start: number, end: number): Iterable<Uint8Array> {
  return deterministicBytes(end, wrongSeed(seed), start)
}

export function wrongSeed(seed: number): number {
  return seed + 100
}

function part(
  range: RequestedRange,
  changed: Partial<RequestedRange> = {},
  headers: Record<string, string> = {},
) {
  const { start, end, sizeBytes, etag } = { ...range, ...changed }
  return {
    status: 206,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(end - start),
      'Content-Range': `bytes ${start}-${end - 1}/${sizeBytes}`,
      ETag: etag,
      ...headers,
    },
    body: wrongBytes(range, start, end),
  }
}

function whole(range: RequestedRange): Reply {
  const { sizeBytes, etag } = range
  return {
    status: 200,
    headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': String(sizeBytes), ETag: etag },
    body: wrongBytes(range, 0, sizeBytes),
  }
}

/** Without a Content-Length, so that only its bytes tell its length. They are right, since nothing else can show that they are not. */
function chunked(range: RequestedRange, start: number, end: number): Reply {
  const { headers } = part(range)
  return {
    status: 206,
    headers: { 'Content-Range': headers['Content-Range'], ETag: headers.ETag },
    framing: 'chunked',
    body: deterministicBytes(end, range.seed, start),
  }
}
