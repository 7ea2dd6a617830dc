import type { SharedArchive } from '../../downloads/shared-archives.ts'
import { KEPT_BY_SCHEDULE, type RunChanges } from '../../jobs/job.ts'
import { formatBytes } from '../../text/format-bytes.ts'
import { type Html, html } from '../html.ts'
import { iso } from '../json.ts'
import type { SharedArchiveJson } from './schemas.ts'

/**
 * The parts of the page for a receiver. The token was verified, so it is safe in a URL.
 * @param answer what the API tells of the archive
 * @param picture the URL of a picture for the preview of the link
 */
export function sharePage(
  archive: SharedArchive,
  token: string,
  answer: SharedArchiveJson,
  picture: string | null,
): SharePageParts {
  return {
    head: headOf(archive, answer, picture),
    withoutScript: html`<main><h1>${archive.zipFilename}</h1>
${stateOf(archive, token)}</main>`,
  }
}

/** What differs between two pages for receivers. */
export interface SharePageParts {
  /** In the head, in place of the title. */
  readonly head: Html
  /** What a browser without scripts shows. */
  readonly withoutScript: Html
}

/**
 * The title, the properties by which messengers show a preview of the link (https://ogp.me/), and the first answer of
 * `/download/:token/archive` for the script. Whoever asks for the page has the link, and learns what its page shows and no more.
 */
function headOf(archive: SharedArchive, answer: SharedArchiveJson, picture: string | null): Html {
  const image = picture === null ? html`` : html`<meta property="og:image" content="${picture}">`
  return html`<title>${archive.zipFilename} · Holdall</title>
<meta property="og:type" content="website">
<meta property="og:site_name" content="Holdall">
<meta property="og:title" content="${archive.zipFilename}">
<meta property="og:description" content="${summaryOf(archive)}">
${image}
<meta name="twitter:card" content="summary">
<meta name="description" content="${summaryOf(archive)}">
<meta name="holdall-archive" content="${JSON.stringify(answer)}">`
}

/** "20 files · 12.5 MB · until 2026-11-29 13:30 UTC". */
function summaryOf({ fileCount, zipBytes, expiresAt, status, progress }: SharedArchive): string {
  if (progress !== null) return 'This archive is being packed'
  if (status === 'failed' || expiresAt === null) return 'This archive couldn’t be packed'
  const until = expiresAt === KEPT_BY_SCHEDULE ? '' : ` · until ${timeOf(expiresAt)}`
  return `${filesOf(fileCount)} · ${formatBytes(zipBytes)}${until}`
}

function filesOf(count: number): string {
  return count === 1 ? '1 file' : `${count} files`
}

function stateOf(
  { fileCount, zipBytes, expiresAt, status, progress, history }: SharedArchive,
  token: string,
): Html {
  const files = filesOf(fileCount)
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
  return told.length === 0 ? 'Nothing has changed since the previous archive.' : `${told.join(', ')}.`
}

function timeOf(time: number): string {
  return iso(time).replace(/T(\d\d:\d\d).*/, ' $1 UTC')
}
