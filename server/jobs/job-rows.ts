import { type entries, jobs } from '../db/schema.ts'
import type { CheckpointEntry } from '../engine/checkpoint/checkpoint.ts'
import type { JobFailure } from '../engine/job-order.ts'
import type { Base, Job } from './job.ts'

type JobRow = Pick<typeof jobs.$inferSelect, keyof typeof JOB_COLUMNS>
/** Without the name before numbering, which is written only when the archive is finished. */
export type EntryRow = Omit<typeof entries.$inferSelect, 'likelyName'>

/** The columns of a `Job`. */
export const JOB_COLUMNS = {
  id: jobs.id,
  userId: jobs.userId,
  status: jobs.status,
  zipFilename: jobs.zipFilename,
  failOnUrlError: jobs.failOnUrlError,
  urlCount: jobs.urlCount,
  fileCount: jobs.fileCount,
  zipBytes: jobs.zipBytes,
  reusedCount: jobs.reusedCount,
  createdAt: jobs.createdAt,
  completedAt: jobs.completedAt,
  expiresAt: jobs.expiresAt,
  failureCode: jobs.failureCode,
  failureMessage: jobs.failureMessage,
  objectName: jobs.objectName,
}

export function jobOf(row: JobRow): Job {
  const { failureCode, failureMessage, ...job } = row
  return { ...job, failure: failureOf(failureCode, failureMessage) }
}

export function baseOf({ baseJobId, baseReuse }: BaseColumns): Base | null {
  return baseJobId === null || baseReuse === null ? null : { jobId: baseJobId, reuse: baseReuse }
}

type BaseColumns = Pick<typeof jobs.$inferSelect, 'baseJobId' | 'baseReuse'>

/** The row of a checkpoint entry, with null in the columns that its status does not use. */
export function rowOf(jobId: string, entry: CheckpointEntry): EntryRow {
  return { ...NO_SPACE, ...entry, jobId }
}

/** The checkpoint entry of a row; throws when the row lacks what its status needs. */
export function entryOf(row: EntryRow): CheckpointEntry {
  const { status, position } = row
  if (status === 'failed') return { status, position, error: needed(row.error) }
  const space = {
    position,
    name: needed(row.name),
    offset: needed(row.offset),
    headerBytes: needed(row.headerBytes),
    compressedBytes: needed(row.compressedBytes),
    modifiedAtMs: needed(row.modifiedAtMs),
    crc32: needed(row.crc32),
    etag: row.etag,
    hasLastModified: row.hasLastModified ?? false,
    finalUrlHash: row.finalUrlHash,
  }
  return status === 'stored'
    ? {
        status,
        ...space,
        sizeBytes: needed(row.sizeBytes),
        method: needed(row.method),
        isReused: row.isReused ?? false,
      }
    : { status, ...space, durableBytes: needed(row.durableBytes) }
}

const NO_SPACE = {
  name: null,
  offset: null,
  headerBytes: null,
  compressedBytes: null,
  sizeBytes: null,
  modifiedAtMs: null,
  crc32: null,
  method: null,
  durableBytes: null,
  etag: null,
  hasLastModified: null,
  finalUrlHash: null,
  isReused: null,
  error: null,
}

function failureOf(code: JobFailure['code'] | null, message: string | null): JobFailure | null {
  return code === null ? null : { code, message: message ?? '' }
}

function needed<T>(value: T | null): T {
  if (value === null) throw new Error('a checkpoint row lacks a column that its status needs')
  return value
}
