import { Elysia } from 'elysia'
import type { Archive, Downloads } from '../downloads/downloads.ts'
import type { Counter } from '../monitoring/metrics.ts'
import { operation } from './operation.ts'
import { type FileToSend, sendFile } from './send-file.ts'
import { tokenParams } from './shared-schemas.ts'

/** How long a client may pause a download: the longest that Bun allows. */
export const PAUSE_SECONDS = 255

/** Specification, section 4.8. The token in the path is the only credential. */
export function downloadRoutes(downloads: Downloads, servedBytes: Counter) {
  return new Elysia({ prefix: '/download' }).get(
    '/:token',
    ({ params, request, server }) => {
      server?.timeout(request, PAUSE_SECONDS)
      return sendFile(archiveToSend(downloads.open(params.token)), request, servedBytes)
    },
    {
      params: tokenParams,
      detail: operation({
        tag: 'Download',
        id: 'downloadArchive',
        summary: 'Download a ZIP',
        description:
          'Supports HEAD, Range, If-Range and the other conditional headers of RFC 9110. A client without a key whose Accept ' +
          'prefers HTML gets a page in place of INVALID_TOKEN and EXPIRED_TOKEN, and of NOT_FOUND on any path.',
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
function archiveToSend(archive: Archive): FileToSend {
  const file = Bun.file(archive.path)
  return {
    file: archive,
    headers: { 'content-type': 'application/zip' },
    hasRanges: true,
    body: (range) => (range === null ? file : file.slice(range.start, range.end)),
  }
}
