import type { ArchiveLinks } from '../../downloads/downloads.ts'
import type { Source } from '../../engine/job-order.ts'
import {
  DEFAULT_SETTINGS,
  type Entry,
  type Job,
  type JobCounts,
  type JobDetail,
  type JobFilter,
  type LinkVersion,
  type NewJob,
  totalOf,
} from '../../jobs/job.ts'
import type { EntryFilter } from '../../jobs/reading/entries.ts'
import type { SampledFile } from '../../jobs/reading/sample-store.ts'
import { changesToJson, expiryOrNull, iso, isoOrNull } from '../json.ts'
import { headerNamesToJson, toJobHeaders } from '../sites/json.ts'
import type { EntryJson } from './entry-schemas.ts'
import type { ListEntriesQuery, ListJobsQuery } from './list-schemas.ts'
import type { CreateJobBody, JobJson, JobListItemJson, JobStatsJson, ProgressJson } from './schemas.ts'
import type { SourcesBody } from './source-schemas.ts'
import type { VersionJson } from './version-schema.ts'

// Maps requests and responses of jobs to the domain and back.

export function toNewJob(body: Omit<CreateJobBody, 'hints'>): NewJob {
  return {
    sources: sourcesOf(body),
    asFiles: body.files != null,
    zipBasename: body.zip_filename ?? null,
    expiresInSeconds: body.expires_in ?? null,
    failOnUrlError: body.fail_on_url_error ?? DEFAULT_SETTINGS.failOnUrlError,
    failOnWarning: body.fail_on_warning ?? DEFAULT_SETTINGS.failOnWarning,
    hasManifest: body.manifest ?? DEFAULT_SETTINGS.hasManifest,
    metadata: body.metadata ?? {},
    headers: (body.headers ?? []).map(toJobHeaders),
    usesSites: body.use_sites ?? DEFAULT_SETTINGS.usesSites,
    replaces: body.replaces ?? null,
    base: body.base == null ? null : { jobId: body.base.job_id, reuse: body.base.reuse, keepsGone: false },
  }
}

export function sourcesOf({ urls, files }: SourcesBody): Source[] {
  if (urls != null) return urls.map((url) => ({ url, filename: null }))
  return (files ?? []).map(({ url, filename, sha256 }) => {
    return { url, filename: filename ?? null, sha256: sha256 ?? null }
  })
}

export function toJobFilter({ status, cancelled }: ListJobsQuery): JobFilter | null {
  if (cancelled !== undefined) return cancelled === 'true' ? 'cancelled' : 'failed otherwise'
  return status ?? null
}

export function toEntryFilter({ status, warning, change }: ListEntriesQuery): EntryFilter {
  return {
    status: status ?? null,
    hasWarning: warning === undefined ? null : warning === 'true',
    change: change ?? null,
  }
}

export function jobToListItem(job: Job): JobListItemJson {
  return {
    id: job.id,
    status: job.status,
    url_count: job.urlCount,
    file_count: job.fileCount,
    zip_filename: job.zipFilename,
    zip_size: job.zipBytes,
    fail_on_url_error: job.failOnUrlError,
    fail_on_warning: job.failOnWarning,
    manifest: job.hasManifest,
    warning_count: job.warningCount,
    ...progressOf(job),
    ...(job.failure === null ? {} : { failure: job.failure }),
    created_at: iso(job.createdAt),
    completed_at: isoOrNull(job.completedAt),
    expires_at: expiryOrNull(job.expiresAt),
    ...(job.scheduleId !== null && { schedule_id: job.scheduleId }),
    ...(job.changes !== null && { changes: changesToJson(job.changes) }),
  }
}

export function sampleToJson(files: readonly SampledFile[]): JobListItemJson['sample'] {
  return files.map(({ host, extension, sizeBytes }) => ({ host, extension, size: sizeBytes }))
}

/**
 * The JSON of a job (`JobJson`) in pieces, each generated on demand. Links that are null are left out.
 */
export function* jobJson(job: JobDetail, links: ArchiveLinks): Generator<string> {
  const item: JobListItemJson = jobToListItem(job)
  yield JSON.stringify(item).slice(0, -1)
  yield* listJson('urls', job.sources, (source) => source.url)
  if (job.asFiles) yield* listJson('files', job.sources, fileToJson)
  if (links.download !== null) yield field('download_url', links.download)
  if (links.earlyDownload !== null) yield field('early_download_url', links.earlyDownload)
  if (links.share !== null) yield field('share_url', links.share)
  const { earlier, replacedBy } = job.versions
  if (replacedBy !== null) yield field('replaced_by', replacedBy)
  if (earlier.length > 0) yield field('earlier_versions', earlier.map(versionToJson))
  yield field('metadata', job.metadata)
  if (job.base !== null) {
    yield field('base', { job_id: job.base.jobId, reuse: job.base.reuse })
    yield field('reused_count', job.reusedCount)
  }
  if (job.headerNames.length > 0) yield field('headers', job.headerNames.map(headerNamesToJson))
  if (!job.usesSites) yield field('use_sites', false)
  yield* listJson('errors', job.errors, (error) => error, 'unless empty')
  yield '}'
}

function versionToJson({ id, fileCount, zipBytes, completedAt, expiresAt }: LinkVersion): VersionJson {
  return {
    job_id: id,
    file_count: fileCount,
    zip_size: zipBytes,
    completed_at: isoOrNull(completedAt),
    expires_at: expiryOrNull(expiresAt),
  }
}

export function entryToJson(entry: Entry): EntryJson {
  const { position, url, name, sizeBytes, expectedBytes, sha256, status, error, warning, change, keptFrom } =
    entry
  return {
    position,
    url,
    name,
    size: sizeBytes,
    expected_size: expectedBytes,
    sha256,
    status,
    error,
    warning,
    ...(change !== null && { change }),
    ...(keptFrom !== null && { kept_from: iso(keptFrom) }),
  }
}

export function statsToJson(counts: JobCounts): JobStatsJson {
  const { pending, processing, completed, failed, cancelled } = counts
  return { pending, processing, completed, failed, total: totalOf(counts, null), cancelled }
}

/** The data of a `progress` event; `bytesPerSecond` is how fast the sources send. */
export function progressToJson(counts: ReportedCounts, bytesPerSecond: number): ProgressJson {
  const { zipBytes, fileCount, warningCount } = counts
  return {
    bytes: zipBytes,
    entries: fileCount,
    warnings: warningCount,
    ...progressOf(counts),
    speed: bytesPerSecond,
  }
}

type ReportedCounts = Pick<Job, 'zipBytes' | 'fileCount' | 'warningCount' | 'doneFraction'>

function progressOf({ doneFraction }: Pick<Job, 'doneFraction'>): { progress?: number } {
  return doneFraction === null ? {} : { progress: doneFraction }
}

function* listJson<T, K extends keyof JobJson>(
  name: K,
  rows: Iterable<T>,
  toJson: (row: T) => ItemOf<JobJson[K]>,
  when: 'always' | 'unless empty' = 'always',
): Generator<string> {
  let before = `,${JSON.stringify(name)}:[`
  const opening = before
  for (const row of rows) {
    yield before + JSON.stringify(toJson(row))
    before = ','
  }
  if (before !== opening) yield ']'
  else if (when === 'always') yield `${opening}]`
}

type ItemOf<T> = NonNullable<T> extends readonly (infer Item)[] ? Item : never

function field<K extends keyof JobJson>(name: K, value: JobJson[K]): string {
  return `,${JSON.stringify(name)}:${JSON.stringify(value)}`
}

export function fileToJson({ url, filename, sha256 }: Source): ItemOf<JobJson['files']> {
  return { url, ...(filename !== null && { filename }), ...(sha256 != null && { sha256 }) }
}
