import type { JobToCreate } from '../../server/jobs/creation-store.ts'

/** A job for the store, where a test needs no service. */
export function jobToCreate(job: Partial<JobToCreate> & { readonly userId: string }): JobToCreate {
  return {
    id: Bun.randomUUIDv7(),
    zipFilename: 'a.zip',
    expiresInSeconds: 300,
    failOnUrlError: true,
    asFiles: false,
    metadata: {},
    createdAt: 1,
    base: null,
    ...job,
  }
}
