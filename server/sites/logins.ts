import type { WriteQueue } from '../db/write-queue.ts'
import type { LoginOutcome, OriginRule, OriginRules, SavedLogin } from '../fetching/headers/origin-headers.ts'
import type { Log } from '../logging/log.ts'
import type { Clock } from '../time/clock.ts'
import type { JobLoginStore, JobLogins } from './job-login-store.ts'
import type { Sealing } from './sealing.ts'
import { hostOf, type JobHeaders, type Site } from './site.ts'
import type { SealedSite, SiteStore } from './site-store.ts'
import { contextOf } from './sites.ts'

export interface LoginsOptions {
  readonly writes: WriteQueue
  readonly sites: SiteStore
  readonly jobLogins: JobLoginStore
  readonly sealing: Sealing
  readonly clock: Clock
  readonly log: Log
}

/** How the jobs of users reach their sources: by headers of their own, and by sites. */
export type Logins = ReturnType<typeof openLogins>

export function openLogins({ writes, sites, jobLogins, sealing, clock, log }: LoginsOptions) {
  /** Without its headers if they can't be opened: its sources then refuse the job, and its owner enters them again. */
  function ruleOf(site: SealedSite): OriginRule[] {
    const opened = sealing.open(site.sealed, contextOf(site))
    if (opened === null) {
      log.warn('the headers of a site cannot be opened: they must be entered again', { site: site.id })
      return []
    }
    const login = { id: site.id, name: describe(site) }
    return [
      { origin: site.origin, includeSubdomains: site.includeSubdomains, headers: JSON.parse(opened), login },
    ]
  }

  function open(id: string, sealed: Buffer): JobHeaders[] {
    const opened = sealing.open(sealed, contextOfJob(id))
    if (opened !== null) return JSON.parse(opened)
    log.warn('the headers of a job cannot be opened: it runs without them', { job: id })
    return []
  }

  function headersOf(jobId: string): JobHeaders[] {
    const { sealed } = jobLogins.find(jobId)
    return sealed === null ? [] : open(jobId, sealed)
  }

  /** What any request for a user sends: the user's sites, and those that others share. */
  function rulesOf(userId: string): OriginRules {
    const now = clock()
    return [sites.inForceOf(userId, now).flatMap(ruleOf), sites.sharedWith(userId, now).flatMap(ruleOf)]
  }

  return {
    /** Seals what a job is created with, or a schedule whose jobs get it. */
    seal(jobId: string, headers: readonly JobHeaders[], usesSites: boolean): JobLogins {
      return {
        usesSites,
        headerNames: headers.map((given) => ({
          origin: given.origin,
          headerNames: given.headers.map(({ name }) => name),
        })),
        sealed: headers.length === 0 ? null : sealing.seal(JSON.stringify(headers), contextOfJob(jobId)),
      }
    },
    /** What was sealed for the job or schedule with this id. */
    open,
    /** What a job was created with, without values. */
    ofJob: (jobId: string): Omit<JobLogins, 'sealed'> => jobLogins.find(jobId),
    /** What a job was created with, until it can no longer be retried. */
    headersOf,
    /** What a run of a job sends to its sources. */
    rulesFor({ jobId, userId }: { readonly jobId: string; readonly userId: string }): OriginRules {
      // The later ones go before the earlier ones.
      const ofJob = headersOf(jobId)
        .toReversed()
        .map((headers) => ({ ...headers, login: null }))
      return jobLogins.find(jobId).usesSites ? [ofJob, ...rulesOf(userId)] : [ofJob]
    },
    rulesOf,
    /** Records that a site was used. A run that is not refused takes the mark of an earlier one away. */
    answered({ id }: SavedLogin, outcome: LoginOutcome): void {
      const now = clock()
      const refused = { used: {}, accepted: { refusedAt: null }, refused: { refusedAt: now } }[outcome]
      writes
        .run(() => sites.recordUse(id, { lastUsedAt: now, ...refused }))
        // A use that can't be recorded must not fail the job.
        .catch((error) => log.debug('a use of a site could not be recorded', { site: id, error }))
    },
  }
}

function contextOfJob(jobId: string): string {
  return `job ${jobId}`
}

/** For messages: the host, and the name if it says more. */
function describe(site: Pick<Site, 'name' | 'origin'>): string {
  const host = hostOf(site.origin)
  return site.name === null || site.name === host ? host : `${host} (${site.name})`
}
