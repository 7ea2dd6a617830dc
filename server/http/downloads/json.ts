import type { ArchivedFile } from '../../downloads/archived-entry-store.ts'
import type { ArchiveHistory } from '../../downloads/downloads.ts'
import type { SharedArchive } from '../../downloads/shared-archives.ts'
import type { Job, RunChanges } from '../../jobs/job.ts'
import type { WarningCode } from '../../vocabulary.ts'
import { changesToJson, expiryOrNull, iso, isoOrNull } from '../json.ts'
import type { SharedArchiveJson, SharedFileJson } from './schemas.ts'

/** Where a client reaches archives. */
export interface ArchiveUrls {
  /** Where the client of a request reaches the service. */
  readonly originOf: (request: Request) => string
  /** The link to the page of an archive; null when that would show nothing, or another one. */
  readonly shareUrlOf: (job: Job, origin: string) => string | null
}

/** What the API tells of the archive that a token opens. */
export function archiveToJson(
  archive: SharedArchive,
  token: string,
  request: Request,
  { originOf, shareUrlOf }: ArchiveUrls,
): SharedArchiveJson {
  const origin = originOf(request)
  return {
    zip_filename: archive.zipFilename,
    zip_size: archive.zipBytes,
    file_count: archive.fileCount,
    expires_at: expiryOrNull(archive.expiresAt),
    status: archive.status,
    missing_count: archive.missingCount,
    ...(archive.progress === null
      ? {}
      : { progress: archive.progress, early_download_url: `${origin}/download/${token}` }),
    ...(archive.history !== null && historyToJson(archive.history, (job) => shareUrlOf(job, origin))),
  }
}

function historyToJson({ changes, earlier }: ArchiveHistory, shareUrlOf: (job: Job) => string | null) {
  return {
    ...(changes !== null && changesOf(changes)),
    earlier: earlier.flatMap((job) => {
      const shareUrl = shareUrlOf(job)
      if (shareUrl === null) return []
      return {
        zip_filename: job.zipFilename,
        zip_size: job.zipBytes,
        file_count: job.fileCount,
        completed_at: iso(job.completedAt ?? job.createdAt),
        share_url: shareUrl,
        ...(job.changes !== null && changesOf(job.changes)),
      }
    }),
  }
}

function changesOf(changes: RunChanges) {
  return { changes: changesToJson(changes), kept_from: isoOrNull(changes.keptFrom) }
}

export function sharedFileToJson({ position, name, sizeBytes, warningCode }: ArchivedFile): SharedFileJson {
  const message = warningCode === null ? undefined : WARNINGS[warningCode]
  const warning = warningCode === null || message === undefined ? null : { code: warningCode, message }
  return { position, name, size: sizeBytes, warning }
}

/** For a receiver, who can't open the source. */
const WARNINGS: Readonly<Partial<Record<WarningCode, string>>> = {
  HTML_INSTEAD: 'This file is a web page, and not what its name says.',
  EMPTY: 'This file is empty.',
}
