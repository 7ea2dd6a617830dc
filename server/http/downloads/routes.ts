import { Elysia } from 'elysia'
import type { Download, Downloads } from '../../downloads/downloads.ts'
import type { Clock } from '../../time/clock.ts'
import { operation } from '../operation.ts'
import { contentOf } from './file-content.ts'
import { tokenParams } from './schemas.ts'
import { sendEarly } from './send-early.ts'
import { attachment, type FileToSend, type Pace, paceOf, type Sending, sendFile } from './send-file.ts'

/** How long a client may pause a download: the longest that Bun allows. */
export const PAUSE_SECONDS = 255

/** Specification, section 4.8. The token in the path is the only credential. */
export function downloadRoutes(downloads: Downloads, sending: Sending, clock: Clock) {
  return new Elysia({ prefix: '/download' }).get(
    '/:token',
    async ({ params, request, server }) => {
      const setTimeout = (seconds: number) => server?.timeout(request, seconds)
      setTimeout(PAUSE_SECONDS)
      const early = downloads.openEarly(params.token)
      if (early !== null)
        return sendEarly(
          early,
          request,
          setTimeout,
          PAUSE_SECONDS,
          sending.servedBytes,
          paceOf(params.token, sending),
        )
      const archive = downloads.open(params.token)
      return (
        (await redirectOf(archive, request, clock())) ??
        sendFile(archiveToSend(archive, paceOf(params.token, sending)), request, sending)
      )
    },
    {
      params: tokenParams,
      detail: operation({
        tag: 'Download',
        id: 'downloadArchive',
        summary: 'Download a ZIP',
        description:
          'Supports HEAD, Range, If-Range and the other conditional headers of RFC 9110. A client without a key whose Accept ' +
          'prefers HTML gets a page in place of INVALID_TOKEN and EXPIRED_TOKEN, and of NOT_FOUND on any path. While the ZIP is ' +
          'packed, `early_download_url` sends what is ready, and then the rest as it comes, without a length. A range of it has ' +
          'no end: `Content-Range: bytes N-9223372036854775806/*` (RFC 8673). If the job fails, the connection breaks off.',
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

function archiveToSend(archive: Download, pace: Pace): FileToSend {
  return {
    file: archive,
    headers: { 'content-type': 'application/zip' },
    hasRanges: true,
    body: (range) => contentOf(archive.content, range, archive.sizeBytes, pace),
  }
}

/** The redirect to an archive that the client gets from the archive store; null when it goes through this service. */
async function redirectOf(
  archive: Download,
  { method, headers }: Request,
  now: number,
): Promise<Response | null> {
  // The store knows nothing of our tag: it would send the whole archive to a client that wants to go on, or nothing.
  if ([headers.get('if-range'), headers.get('if-match')].includes(archive.etag)) return null
  const leftSeconds = Math.max(1, Math.floor((archive.expiresAt - now) / 1000))
  const link = await archive.content.linkFor({
    method: method === 'HEAD' ? 'HEAD' : 'GET',
    disposition: attachment(archive.filename),
    lifetimeSeconds: Math.min(leftSeconds, MAX_LINK_SECONDS),
  })
  if (link === null) return null
  return new Response(null, { status: 307, headers: { location: link, 'cache-control': 'no-store' } })
}

/** Short, since the link of the store may outlive ours. A client that resumes later begins at our link again. */
const MAX_LINK_SECONDS = 3600
