import type { TestService } from '../../support/service.ts'
import type { Sources } from '../../support/sources.ts'

/** A row of the page on moving, and a check that sends the request in the form of the other service. */
export type Call = readonly [call: string, verdict: string, check: () => Promise<void>]

/** What the checks use: a service with a completed job. */
export interface Context {
  readonly service: TestService
  readonly sources: Sources
  readonly job: { readonly id: string; readonly download_url: string }
}
