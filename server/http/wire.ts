import type { Source } from '../engine/job-order.ts'
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

/**
 * The JSON of a job (`JobWire`) in pieces, each made when it is asked for. `downloadUrl` null leaves the field out:
 * there is nothing to download.
 */
export function* jobJson(job: JobDetail, downloadUrl: string | null): Generator<string> {
  const item: JobListItemWire = jobToListItem(job)
  yield JSON.stringify(item).slice(0, -1)
  yield* listJson('urls', job.sources, (source) => source.url)
  if (job.asFiles) yield* listJson('files', job.sources, fileToWire)
  if (downloadUrl !== null) yield field('download_url', downloadUrl)
  yield field('metadata', job.metadata)
  yield* listJson('errors', job.errors, (error) => error, 'unless empty')
  yield '}'
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

function* listJson<T, K extends keyof JobWire>(
  name: K,
  rows: Iterable<T>,
  toWire: (row: T) => ItemOf<JobWire[K]>,
  when: 'always' | 'unless empty' = 'always',
): Generator<string> {
  let before = `,${JSON.stringify(name)}:[`
  const opening = before
  for (const row of rows) {
    yield before + JSON.stringify(toWire(row))
    before = ','
  }
  if (before !== opening) yield ']'
  else if (when === 'always') yield `${opening}]`
}

type ItemOf<T> = NonNullable<T> extends readonly (infer Item)[] ? Item : never

function field<K extends keyof JobWire>(name: K, value: JobWire[K]): string {
  return `,${JSON.stringify(name)}:${JSON.stringify(value)}`
}

function fileToWire(source: Source): { url: string; filename?: string } {
  return source.filename === null ? { url: source.url } : { url: source.url, filename: source.filename }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}
