import { Elysia } from 'elysia'
import { z } from 'zod'
import type { Archive, Downloads } from '../downloads/downloads.ts'
import { evaluateConditions, selectRange } from '../downloads/range.ts'
import { ServiceError } from '../errors.ts'
import type { Counter } from '../monitoring/metrics.ts'
import { attachment } from './attachment.ts'
import { errorResponse } from './error-responses.ts'
import { operation } from './operation.ts'

/** How long a client may pause a download: the longest that Bun allows. */
const PAUSE_SECONDS = 255

/** Specification, section 4.8. The token in the path is the only credential. */
export function downloadRoutes(downloads: Downloads, servedBytes: Counter) {
  return new Elysia({ prefix: '/download' }).get(
    '/:token',
    ({ params, request, server }) => {
      server?.timeout(request, PAUSE_SECONDS)
      return send(downloads.open(params.token), request, servedBytes)
    },
    {
      params: z.object({ token: z.string() }),
      detail: operation({
        tag: 'Download',
        id: 'downloadArchive',
        summary: 'Download a ZIP',
        description: 'Supports HEAD, Range, If-Range and the other conditional headers of RFC 9110.',
        isOpen: true,
        success: {
          200: { description: 'The whole ZIP.', mediaType: 'application/zip' },
          206: { description: 'The requested range.', mediaType: 'application/zip' },
          304: { description: 'The client has the current ZIP.' },
        },
        errors: [
          'INVALID_TOKEN',
          'EXPIRED_TOKEN',
          'PRECONDITION_FAILED',
          'RANGE_NOT_SATISFIABLE',
          'RATE_LIMITED',
        ],
      }),
    },
  )
}

/** Bun sends the file with sendfile. For a response with status 206, it ignores `Range` and sends the given slice. */
function send(archive: Archive, request: Request, servedBytes: Counter): Response {
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
        new ServiceError('PRECONDITION_FAILED', 'The archive does not meet the conditions of the request.'),
      )
    case 'proceed':
  }
  // RFC 9110, section 14.2: `Range` applies only to GET.
  const range = request.method === 'GET' ? selectRange(request.headers, current, archive.sizeBytes) : 'whole'
  if (range === 'unsatisfiable') return unsatisfiable(archive)
  const { start, end } = range === 'whole' ? { start: 0, end: archive.sizeBytes } : range
  if (request.method === 'GET') servedBytes([], end - start)
  const file = Bun.file(archive.path)
  const fileHeaders = {
    ...headers,
    'content-type': 'application/zip',
    'content-disposition': attachment(archive.filename),
  }
  if (range === 'whole') return new Response(file, { headers: fileHeaders })
  const contentRange = `bytes ${start}-${end - 1}/${archive.sizeBytes}`
  return new Response(file.slice(start, end), {
    status: 206,
    headers: { ...fileHeaders, 'content-range': contentRange },
  })
}

function unsatisfiable({ sizeBytes }: Archive): Response {
  const message = `The archive has ${sizeBytes} bytes; the range begins after them.`
  return errorResponse(new ServiceError('RANGE_NOT_SATISFIABLE', message), {
    'content-range': `bytes */${sizeBytes}`,
  })
}
