import type { ArchivedFile } from '../../downloads/archived-entry-store.ts'
import type { SharedArchive } from '../../downloads/shared-archives.ts'
import { isoOrNull } from '../json.ts'
import type { SharedArchiveJson, SharedFileJson } from './schemas.ts'

export function archiveToJson(archive: SharedArchive): SharedArchiveJson {
  return {
    zip_filename: archive.zipFilename,
    zip_size: archive.zipBytes,
    file_count: archive.fileCount,
    expires_at: isoOrNull(archive.expiresAt),
    status: archive.status,
    ...(archive.progress === null ? {} : { progress: archive.progress }),
  }
}

export function fileToJson({ position, name, sizeBytes }: ArchivedFile): SharedFileJson {
  return { position, name, size: sizeBytes }
}
