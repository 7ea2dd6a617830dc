import type { Entry, Job, JobDetail } from '../jobs/job.ts'
import type { LiveCounts } from '../jobs/progress.ts'
import type { ApiKey, NewApiKey } from '../keys/api-keys.ts'
import type {
  ApiKeyWire,
  EntryWire,
  JobListItemWire,
  JobWire,
  NewApiKeyWire,
  PageMetaWire,
  ProgressWire,
} from './schemas.ts'

export function apiKeyToWire(apiKey: ApiKey): ApiKeyWire {
  return {
    id: apiKey.id,
    name: apiKey.name,
    created_at: iso(apiKey.createdAt),
    expires_at: isoOrNull(apiKey.expiresAt),
    last_used_at: isoOrNull(apiKey.lastUsedAt),
  }
}

export function newApiKeyToWire(apiKey: NewApiKey): NewApiKeyWire {
  return { ...apiKeyToWire(apiKey), key: apiKey.key }
}

export function jobToListItem(job: Job): JobListItemWire {
  return {
    id: job.id,
    status: job.status,
    url_count: job.urlCount,
    file_count: job.fileCount,
    zip_filename: job.zipFilename,
    zip_size: job.zipBytes,
    fail_on_url_error: job.failOnUrlError,
    ...(job.failure === null ? {} : { failure: job.failure }),
    created_at: iso(job.createdAt),
    completed_at: isoOrNull(job.completedAt),
    expires_at: isoOrNull(job.expiresAt),
  }
}

/** `downloadUrl` null leaves the field out: there is nothing to download. */
export function jobToWire(job: JobDetail, downloadUrl: string | null): JobWire {
  return {
    ...jobToListItem(job),
    urls: job.sources.map((source) => source.url),
    ...(job.asFiles ? { files: job.sources.map(fileToWire) } : {}),
    ...(downloadUrl === null ? {} : { download_url: downloadUrl }),
    metadata: job.metadata,
    ...(job.errors.length === 0 ? {} : { errors: [...job.errors] }),
  }
}

export function entryToWire(entry: Entry): EntryWire {
  const { position, url, name, sizeBytes, status, error } = entry
  return { position, url, name, size: sizeBytes, status, error }
}

/** What a progress event says; `bytesPerSecond` is how fast the sources send. */
export function progressToWire(counts: LiveCounts, bytesPerSecond: number): ProgressWire {
  return { bytes: counts.zipBytes, entries: counts.fileCount, speed: bytesPerSecond }
}

export function pageMeta(limit: number, total: number, nextCursor: string | null): PageMetaWire {
  return { limit, total, next_cursor: nextCursor, has_more: nextCursor !== null }
}

function fileToWire(source: JobDetail['sources'][number]): { url: string; filename?: string } {
  return source.filename === null ? { url: source.url } : { url: source.url, filename: source.filename }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}
