import type { SharedArchive } from '../../downloads/shared-archives.ts'
import { formatBytes } from '../../text/format-bytes.ts'
import { type Html, html } from '../html.ts'
import { iso } from '../json.ts'

/** What a browser without scripts shows of an archive. The token was verified, so it is safe in a URL. */
export function sharePage(archive: SharedArchive, token: string): Html {
  return html`<main><h1>${archive.zipFilename}</h1>
${stateOf(archive, token)}</main>`
}

function stateOf({ fileCount, zipBytes, expiresAt, status, progress }: SharedArchive, token: string): Html {
  const files = fileCount === 1 ? '1 file' : `${fileCount} files`
  if (progress !== null) {
    const percent = `${Math.floor(progress * 100)}%`
    return html`<p>This archive is being packed: ${files} so far (${percent}). You can download it now: the rest follows as it is packed.</p>
<p><a href="/download/${token}" download>Download</a></p>`
  }
  if (status === 'failed' || expiresAt === null) {
    return html`<p>This archive couldn’t be packed. Ask the person who sent you the link.</p>`
  }
  const until = iso(expiresAt).replace(/T(\d\d:\d\d).*/, ' $1 UTC')
  return html`<p>${files}, ${formatBytes(zipBytes)}. Available until ${until}.</p>
<p><a href="/download/${token}" download>Download</a></p>`
}
