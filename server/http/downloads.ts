import { Elysia } from 'elysia'
import type { Archive, Downloads } from '../downloads/downloads.ts'
import { evaluateConditions, selectRange } from '../downloads/range.ts'
import { ServiceError } from '../errors.ts'
import type { Counter } from '../metrics.ts'
import { attachment } from './content-disposition.ts'
import { errorResponse } from './errors.ts'
import { tokenParams } from './request-schemas.ts'

/** The longest that Bun allows: a client that pauses a download is not to be cut soon. */
const PAUSED_SECONDS = 255

/** Specification, section 4.8. The token in the path is the only credential. */
export function downloadRoutes(downloads: Downloads, served: Counter) {
  return new Elysia({ prefix: '/download' }).get(
    '/:token',
    ({ params, request, server }) => {
      server?.timeout(request, PAUSED_SECONDS)
      return send(downloads.open(params.token), request, served)
    },
    { params: tokenParams },
  )
}

/** Answers from the file by sendfile. Bun leaves a response of status 206 as it is, and sends the slice it is given. */
function send(archive: Archive, request: Request, served: Counter): Response {
  const current = { etag: archive.etag, lastModifiedSeconds: Math.floor(archive.changedAt / 1000) }
  const headers = {
    etag: archive.etag,
    'last-modified': new Date(archive.changedAt).toUTCString(),
    'cache-control': 'private',
    'accept-ranges': 'bytes',
  }
  switch (evaluateConditions(request.headers, current)) {
    case 'not-modified':
      return new Response(null, { status: 304, headers })
    case 'precondition-failed':
      return errorResponse(
        new ServiceError('PRECONDITION_FAILED', 'The archive is not the one that was asked for.'),
      )
    case 'proceed':
  }
  // Section 14.2: a Range means something to GET alone.
  const range = request.method === 'GET' ? selectRange(request.headers, current, archive.sizeBytes) : 'whole'
  if (range === 'unsatisfiable') return unsatisfiable(archive)
  const { start, end } = range === 'whole' ? { start: 0, end: archive.sizeBytes } : range
  if (request.method === 'GET') served([], end - start)
  const file = Bun.file(archive.path)
  const described = {
    ...headers,
    'content-type': 'application/zip',
    'content-disposition': attachment(archive.filename),
  }
  if (range === 'whole') return new Response(file, { headers: described })
  const contentRange = `bytes ${start}-${end - 1}/${archive.sizeBytes}`
  return new Response(file.slice(start, end), {
    status: 206,
    headers: { ...described, 'content-range': contentRange },
  })
}

function unsatisfiable({ sizeBytes }: Archive): Response {
  const message = `The archive has ${sizeBytes} bytes; the range begins behind them.`
  return errorResponse(new ServiceError('RANGE_NOT_SATISFIABLE', message), {
    'content-range': `bytes */${sizeBytes}`,
  })
}
