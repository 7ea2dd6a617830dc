import type { Source } from '../engine/job-order.ts'
import type { Job, UrlError } from './job.ts'
import type { JobStore } from './job-store.ts'

/** All sources of a job, read from the database in batches. Throws when the job is deleted meanwhile. */
export function* sourcesOf(store: JobStore, { id, urlCount }: Job): Generator<Source> {
  let read = 0
  for (;;) {
    const batch = store.sourcesFrom(id, read, BATCH)
    yield* batch
    read += batch.length
    if (batch.length < BATCH) break
  }
  if (read < urlCount) throw new Error('the job was deleted while it was read')
}

/** The errors of a job in URL order, read from the database in batches. */
export function* errorsOf(store: JobStore, jobId: string): Generator<UrlError> {
  let after = -1
  for (;;) {
    const batch = store.errorsAfter(jobId, after, BATCH)
    yield* batch.map(({ url, error }) => ({ url, error }))
    const last = batch.at(-1)
    if (last === undefined || batch.length < BATCH) return
    after = last.position
  }
}

/** Rows that are read together. With the longest URLs they are half a megabyte. */
const BATCH = 64
