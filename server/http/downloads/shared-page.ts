import type { SharedArchive } from '../../downloads/shared-archives.ts'
import { KEPT_BY_SCHEDULE, type RunChanges } from '../../jobs/job.ts'
import { formatBytes } from '../../text/format-bytes.ts'
import { type Html, html } from '../html.ts'
import { iso } from '../json.ts'

/** What a browser without scripts shows of an archive. The token was verified, so it is safe in a URL. */
export function sharePage(archive: SharedArchive, token: string): Html {
  return html`<main><h1>${archive.zipFilename}</h1>
${stateOf(archive, token)}</main>`
}

function stateOf(
  { fileCount, zipBytes, expiresAt, status, progress, history }: SharedArchive,
  token: string,
): Html {
  const files = fileCount === 1 ? '1 file' : `${fileCount} files`
  if (progress !== null) {
    const percent = `${Math.floor(progress * 100)}%`
    return html`<p>This archive is being packed: ${files} so far (${percent}). You can download it now: the rest follows as it is packed.</p>
<p><a href="/download/${token}" download>Download</a></p>`
  }
  if (status === 'failed' || expiresAt === null) {
    return html`<p>This archive couldn’t be packed. Ask the person who sent you the link.</p>`
  }
  const size = `${files}, ${formatBytes(zipBytes)}.`
  const until = expiresAt === KEPT_BY_SCHEDULE ? '' : ` Available until ${timeOf(expiresAt)}.`
  return html`<p>${size}${until}</p>
<p><a href="/download/${token}" download>Download</a></p>
${history === null ? '' : html`<p>${changesText(history.changes)}</p>`}`
}

/** "3 new, 2 changed, 1 kept from 2026-05-04 06:00 UTC". */
function changesText(changes: RunChanges | null): string {
  if (changes === null) return ''
  const { added, changed, kept, gone, keptFrom } = changes
  const parts = [
    [added, 'new'],
    [changed, 'changed'],
    [kept, keptFrom === null ? 'kept' : `kept from ${timeOf(keptFrom)}`],
    [gone, 'gone'],
  ] as const
  const told = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]))
  return told.length === 0 ? 'Nothing has changed since the archive before.' : `${told.join(', ')}.`
}

function timeOf(time: number): string {
  return iso(time).replace(/T(\d\d:\d\d).*/, ' $1 UTC')
}
