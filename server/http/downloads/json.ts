import type { ArchivedFile } from '../../downloads/archived-entry-store.ts'
import type { SharedArchive } from '../../downloads/shared-archives.ts'
import type { WarningCode } from '../../vocabulary.ts'
import { isoOrNull } from '../json.ts'
import type { SharedArchiveJson, SharedFileJson } from './schemas.ts'

/** @param earlyUrl sends the archive while it is packed */
export function archiveToJson(archive: SharedArchive, earlyUrl: string): SharedArchiveJson {
  return {
    zip_filename: archive.zipFilename,
    zip_size: archive.zipBytes,
    file_count: archive.fileCount,
    expires_at: isoOrNull(archive.expiresAt),
    status: archive.status,
    ...(archive.progress === null ? {} : { progress: archive.progress, early_download_url: earlyUrl }),
  }
}

export function fileToJson({ position, name, sizeBytes, warningCode }: ArchivedFile): SharedFileJson {
  const message = warningCode === null ? undefined : WARNINGS[warningCode]
  const warning = warningCode === null || message === undefined ? null : { code: warningCode, message }
  return { position, name, size: sizeBytes, warning }
}

/** For a receiver, who can't open the source. */
const WARNINGS: Readonly<Partial<Record<WarningCode, string>>> = {
  HTML_INSTEAD: 'This file is a web page, and not what its name says.',
  EMPTY: 'This file is empty.',
}
