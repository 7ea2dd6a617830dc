import type { Downloads } from '../../downloads/downloads.ts'
import { ServiceError } from '../../errors.ts'

/**
 * Throws `UNAVAILABLE` when a client of HTTP/1.0 asks for an archive that is still packed: without chunks, it can take a connection that
 * breaks off for the end of the archive. Bun does not tell the version, but refuses HTTP/1.1 without `Host` (RFC 9112, section 3.2), so a
 * request without it is of HTTP/1.0. Its URL is a path.
 */
export function refuseOldClient({ headers, url }: Request, downloads: Pick<Downloads, 'isEarly'>): void {
  if (headers.has('host')) return
  const [, token] = /^\/download\/([^/?]+)(?:\?|$)/.exec(url) ?? []
  if (token === undefined || !downloads.isEarly(token)) return
  throw new ServiceError(
    'UNAVAILABLE',
    'This archive is still being packed. Until it is complete, it can be downloaded only over HTTP/1.1.',
  )
}
