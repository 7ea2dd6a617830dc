import type { EarlyDownload } from '../../downloads/early-archives.ts'
import { rangeStart } from '../../downloads/range.ts'
import type { Counter } from '../../monitoring/metrics.ts'
import { growingLength } from './browser-resume.ts'
import { attachment, type Pace, unlessSent } from './send-file.ts'

/** Sets how long the client of a request may be silent, in seconds; 0 is without a limit. */
type SetTimeout = (seconds: number) => void

/**
 * Sends an archive that is still packed: what is settled at once, and the rest as it comes. If the archive can't be completed, the
 * connection breaks off. Until then, nobody knows how long the archive is: there is no `Content-Length`, and a range has no end.
 * @param pauseSeconds how long the client may pause
 */
export function sendEarly(
  archive: EarlyDownload,
  request: Request,
  setTimeout: SetTimeout,
  pauseSeconds: number,
  servedBytes: Counter,
  { memory, nextTurn }: Pace,
): Response {
  const current = { etag: archive.etag, lastModifiedSeconds: null }
  const validators = { etag: archive.etag, 'cache-control': 'private', 'accept-ranges': 'bytes' }
  const refusal = unlessSent(request, current, validators)
  if (refusal !== null) return refusal
  const headers = {
    ...validators,
    'content-type': 'application/zip',
    'content-disposition': attachment(archive.filename),
    // Otherwise, nginx collects megabytes before it sends them.
    'x-accel-buffering': 'no',
  }
  if (request.method === 'HEAD') return new Response(null, { headers })
  const start = rangeStart(request.headers, current)
  const stop = new AbortController()
  const pieces = archive.pieces(start ?? 0, stop.signal, memory.partBytes())
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        for (;;) {
          await nextTurn()
          const { value, done } = await pieces.next()
          if (done) return controller.close()
          if (value !== 'waiting') {
            servedBytes([], value.length)
            memory.read(value.length)
            return controller.enqueue(value)
          }
          setTimeout(0)
        }
      } catch (error) {
        controller.error(error)
      } finally {
        setTimeout(pauseSeconds)
      }
    },
    async cancel() {
      stop.abort()
      await pieces.return()
    },
  })
  if (start === null) return new Response(body, { headers })
  const range = { 'content-range': `bytes ${start}-${UNKNOWN_END}/${growingLength(request.headers)}` }
  return new Response(body, { status: 206, headers: { ...headers, ...range } })
}

/** RFC 8673, section 2: the end of a range that grows. The largest number of 64 bits with which clients can count its length. */
const UNKNOWN_END = '9223372036854775806'
