import type { SharedArchive } from '../downloads/shared-archives.ts'
import { formatBytes } from '../format-bytes.ts'
import { type Html, html } from './html.ts'
import { iso } from './iso-time.ts'

/** What a browser without scripts shows of an archive. The token was verified, so it is safe in a URL. */
export function sharePage(archive: SharedArchive, token: string): Html {
  const { zipFilename, fileCount, zipBytes, expiresAt, status } = archive
  if (status !== 'completed' || expiresAt === null) {
    return html`<main><h1>${zipFilename}</h1><p>This archive is not ready.</p></main>`
  }
  const files = fileCount === 1 ? '1 file' : `${fileCount} files`
  const until = iso(expiresAt).replace(/T(\d\d:\d\d).*/, ' $1 UTC')
  return html`<main><h1>${zipFilename}</h1>
<p>${files}, ${formatBytes(zipBytes)}. Available until ${until}.</p>
<p><a href="/download/${token}" download>Download</a></p></main>`
}
