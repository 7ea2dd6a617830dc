import { Elysia } from 'elysia'
import type { Download, Downloads } from '../../downloads/downloads.ts'
import type { Counter } from '../../monitoring/metrics.ts'
import type { Clock } from '../../time/clock.ts'
import { operation } from '../operation.ts'
import { contentOf } from './file-content.ts'
import { tokenParams } from './schemas.ts'
import { attachment, type FileToSend, sendFile } from './send-file.ts'

/** How long a client may pause a download: the longest that Bun allows. */
export const PAUSE_SECONDS = 255

/** Specification, section 4.8. The token in the path is the only credential. */
export function downloadRoutes(downloads: Downloads, servedBytes: Counter, clock: Clock) {
  return new Elysia({ prefix: '/download' }).get(
    '/:token',
    ({ params, request, server }) => {
      server?.timeout(request, PAUSE_SECONDS)
      const archive = downloads.open(params.token)
      const redirect = redirectOf(archive, request.method, clock())
      return redirect ?? sendFile(archiveToSend(archive), request, servedBytes)
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
          307: {
            description:
              'The ZIP is in an archive store. `Range` and conditions work there, too, but with an `ETag` of the store.',
          },
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

function archiveToSend(archive: Download): FileToSend {
  return {
    file: archive,
    headers: { 'content-type': 'application/zip' },
    hasRanges: true,
    body: (range) => contentOf(archive.content, range, archive.sizeBytes),
  }
}

/** The redirect to an archive that the client gets from the archive store; null when it goes through this service. */
function redirectOf(archive: Download, method: string, now: number): Response | null {
  const leftSeconds = Math.max(1, Math.floor((archive.expiresAt - now) / 1000))
  const link = archive.content.linkFor({
    method: method === 'HEAD' ? 'HEAD' : 'GET',
    disposition: attachment(archive.filename),
    lifetimeSeconds: Math.min(leftSeconds, MAX_LINK_SECONDS),
  })
  if (link === null) return null
  return new Response(null, { status: 307, headers: { location: link, 'cache-control': 'no-store' } })
}

/** Short, since the link of the store may outlive ours. A client that resumes later begins at our link again. */
const MAX_LINK_SECONDS = 3600
