import { expectedBytes } from './deterministic-bytes.ts'
import type { Reply } from './http-server.ts'
import type { Route } from './route.ts'

/**
 * Sources that answer with a part of a body, or say that they do, or tell a wrong length. Each path ends with the size of the whole body.
 */
export const partialRoutes: Readonly<Record<string, Route>> = {
  /** 206 for the whole body, which nobody asked for as a range. */
  'whole-as-206': (_request, _count, size) => part(206, 0, Number(size), Number(size)),
  /** 206 for the first half, which nobody asked for. */
  'half-as-206': (_request, _count, size) => part(206, 0, Number(size) / 2, Number(size)),
  /** 206 for the whole body, chunked, of which it has all but the last byte. */
  'short-206': (_request, _count, size) => chunked(Number(size), -1),
  /** 206 for the whole body, with the Content-Length of all but the last byte. */
  'shorter-length-206': (_request, _count, size) => {
    const { headers, ...reply } = part(206, 0, Number(size) - 1, Number(size))
    return { ...reply, headers: { ...headers, 'Content-Range': `bytes 0-${Number(size) - 1}/${size}` } }
  },
  /** 206 for the whole body, chunked, with a byte too many. */
  'long-206': (_request, _count, size) => chunked(Number(size), 1),
  /** Chunked, with a Content-Length of one byte beside it. */
  'length-beside-chunked': (_request, _count, size) => ({
    headers: { 'Content-Length': '1' },
    framing: 'chunked',
    body: [expectedBytes(Number(size))],
  }),
  /** 206 without a Content-Range. */
  'rangeless-206': (_request, _count, size) => {
    const { headers, ...reply } = part(206, 0, Number(size), Number(size))
    return { ...reply, headers: { 'Content-Length': headers['Content-Length'] } }
  },
  /** 200 for the second half. */
  'half-as-200': (_request, _count, size) => part(200, Number(size) / 2, Number(size), Number(size)),
}

function chunked(totalBytes: number, extraBytes: number): Reply {
  return {
    status: 206,
    headers: { 'Content-Range': `bytes 0-${totalBytes - 1}/${totalBytes}` },
    framing: 'chunked',
    body: [expectedBytes(totalBytes + extraBytes)],
  }
}

function part(status: number, start: number, end: number, totalBytes: number) {
  return {
    status,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(end - start),
      'Content-Range': `bytes ${start}-${end - 1}/${totalBytes}`,
    },
    body: [expectedBytes(totalBytes).slice(start, end)],
  }
}
