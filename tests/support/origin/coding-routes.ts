import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { expectedBytes } from './deterministic-bytes.ts'
import type { Reply } from './http-server.ts'
import type { Route } from './route.ts'

/** Sources with a Content-Encoding. `?size=&seed=` select the body, as in `/bytes`. */
export const codingRoutes: Readonly<Record<string, Route>> = {
  /** `/encoded/gzip[,br]`: the body, encoded in this order. `corrupt=1` spoils it; `label` is another Content-Encoding. */
  encoded: ({ query }, _count, codings) => {
    const encoded = codings.split(',').reduce(encode, bodyOf(query))
    if (query.has('corrupt')) encoded.fill(0xff, encoded.length / 2)
    return reply(encoded, query.get('label') ?? codings, query)
  },
  /** `/labelled/<name>?coding=none`: the body as it is, with this Content-Encoding. */
  labelled: ({ query }) => reply(bodyOf(query), query.get('coding') ?? '', query),
  /** `/two-streams/gzip`: the halves of the body, each encoded for itself. */
  'two-streams': ({ query }, _count, coding) => {
    const body = bodyOf(query)
    const halves = [body.slice(0, body.length / 2), body.slice(body.length / 2)]
    return reply(Buffer.concat(halves.map((half) => encode(half, coding))), coding, query)
  },
  /** `/trailing-bytes/gzip`: the encoded body, and after it bytes that belong to nothing. */
  'trailing-bytes': ({ query }, _count, coding) =>
    reply(Buffer.concat([encode(bodyOf(query), coding), Buffer.from('trailing')]), coding, query),
  /** The same, in a chunk of its own. */
  'trailing-chunk': ({ query }, _count, coding) =>
    chunked([encode(bodyOf(query), coding), Buffer.from('trailing')], coding),
  /** `/cut-stream/gzip`: the encoded body without its last bytes, as if that was the whole response. */
  'cut-stream': ({ query }, _count, coding) =>
    reply(encode(bodyOf(query), coding).slice(0, -3), coding, query),
  /** `/no-last-chunk/gzip`: the whole encoded body, and then the connection ends within the chunked framing. */
  'no-last-chunk': ({ query }, _count, coding) => ({
    ...chunked([encode(bodyOf(query), coding)], coding),
    ending: 'cut',
  }),
  /** `/split/deflate`: the encoded body, its first byte in a chunk of its own. */
  split: ({ query }, _count, coding) => {
    const encoded = encode(bodyOf(query), coding)
    return chunked([encoded.slice(0, 1), encoded.slice(1)], coding)
  },
}

function bodyOf(query: URLSearchParams): Uint8Array {
  return expectedBytes(Number(query.get('size') ?? 10_000), Number(query.get('seed') ?? 1))
}

function encode(body: Uint8Array, coding: string): Uint8Array {
  const encoder = ENCODERS[coding]
  if (encoder === undefined) throw new Error(`The origin does not know the coding ${coding}`)
  return Uint8Array.from(encoder(body))
}

const ENCODERS: Readonly<Record<string, (body: Uint8Array) => Uint8Array>> = {
  gzip: (body) => gzipSync(body),
  'x-gzip': (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  'raw-deflate': (body) => deflateRawSync(body),
  // The default quality takes longer on a busy machine than the timeouts of some tests.
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (body) => zstdCompressSync(body, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
}

function headersOf(coding: string): Readonly<Record<string, string>> {
  return { 'Content-Type': 'text/plain', 'Content-Encoding': coding.replace('raw-', '') }
}

function reply(body: Uint8Array, coding: string, query: URLSearchParams): Reply {
  const type = query.get('type')
  const disposition = query.get('disposition')
  return {
    headers: {
      ...headersOf(coding),
      ...(type !== null && { 'Content-Type': type }),
      ...(disposition !== null && { 'Content-Disposition': disposition }),
      'Content-Length': String(body.length),
    },
    body: [body],
  }
}

function chunked(body: readonly Uint8Array[], coding: string): Reply {
  return { headers: headersOf(coding), framing: 'chunked', body }
}
