import { toNewJob } from '../../server/http/jobs/json.ts'
import type { JobToCreate, SourceToInsert } from '../../server/jobs/lifecycle/creation-store.ts'
import type { TransitionStore } from '../../server/jobs/lifecycle/transition-store.ts'

/** A job for the store, where a test needs no service: as if nothing but its URLs had been submitted. */
export function jobToCreate(job: Partial<JobToCreate> & { readonly userId: string }): JobToCreate {
  const {
    sources: _,
    zipBasename: __,
    headers: ___,
    usesSites,
    replaces: ____,
    ...settings
  } = toNewJob({ urls: [] })
  const id = job.id ?? Bun.randomUUIDv7()
  return {
    ...settings,
    id,
    linkId: id,
    holdsLink: true,
    zipFilename: 'a.zip',
    expiresInSeconds: 300,
    createdAt: 1,
    scheduleId: null,
    logins: { usesSites, headerNames: [], sealed: null },
    ...job,
  }
}

/** Creates a job of a short list, which takes one transaction: the job exists when this returns. */
export function createShort(
  transitions: TransitionStore,
  job: JobToCreate,
  sources: readonly SourceToInsert[],
): void {
  const nextTurn = () => Promise.reject(new Error('this list takes several transactions'))
  void transitions.create(job, sources, { nextTurn, assertAllowed() {}, alongside() {} })
}
