import type { FinishedJobs } from './finished-jobs.ts'

/** Ids, tokens and cursors from responses, for later requests. */
export interface ResponseValues {
  /** Collects them from a response. */
  collect(body: unknown): void
  /** Replaces `{id}`, `{delivery_id}`, `{token}`, `{cursor}` and `{position}` in the path of a request. */
  fill(method: string, path: string, choice: number): string
  /** A key that a request created, which may have been revoked since; null when there is none yet. */
  createdKey(choice: number): string | null
}

/** The maximum number of values per kind. Newer values replace older ones. */
const MAX_VALUES = 50
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

/**
 * `finished` are jobs, and the tokens of their archives, that requests only read. Half of the requests that read get one of
 * them, because few random jobs are valid, finished, and not deleted yet.
 */
export function openResponseValues(finished: FinishedJobs): ResponseValues {
  const jobs: string[] = []
  const apiKeys: string[] = []
  const webhooks: string[] = []
  const notifiers: string[] = []
  const deliveries: string[] = []
  const users: string[] = []
  const sites: string[] = []
  const schedules: string[] = []
  const tokens: string[] = []
  const cursors: string[] = []
  const keys: string[] = []

  function keep(list: string[], text: unknown): void {
    if (typeof text !== 'string') return
    list.push(text)
    if (list.length > MAX_VALUES) list.shift()
  }

  const idsByPath = [
    ['/users', users],
    ['/api-keys', apiKeys],
    ['/webhooks', webhooks],
    ['/notifiers', notifiers],
    ['/sites', sites],
    ['/schedules', schedules],
  ] as const

  function idsFor(path: string, readsFinished: boolean): readonly string[] {
    const ids = idsByPath.find(([start]) => path.startsWith(start))?.[1]
    return ids ?? (readsFinished ? finished.jobs : jobs)
  }

  return {
    collect(body) {
      const { job_id, job, api_key, webhook, notifier, delivery, user, site, schedule, meta } = asObject(body)
      keep(jobs, job_id)
      keep(apiKeys, asObject(api_key).id)
      keep(webhooks, asObject(webhook).id)
      keep(notifiers, asObject(notifier).id)
      keep(sites, asObject(site).id)
      keep(schedules, asObject(schedule).id)
      keep(deliveries, asObject(delivery).id)
      keep(keys, asObject(api_key).key)
      // Only users that a request has added or changed: GET /me shows the users whose keys must keep working.
      if ('job_counts' in asObject(user)) keep(users, asObject(user).id)
      keep(cursors, asObject(meta).next_cursor)
      const { download_url, share_url } = asObject(job)
      for (const url of [download_url, share_url]) {
        if (typeof url === 'string') keep(tokens, url.split('/').at(-1))
      }
    },
    fill(method, path, choice) {
      const readsFinished = (method === 'GET' || method === 'HEAD') && choice % 2 === 0
      const of = (list: readonly string[]) => list[choice % list.length] ?? UNKNOWN_ID
      return path
        .replaceAll('{id}', of(idsFor(path, readsFinished)))
        .replaceAll('{delivery_id}', of(deliveries))
        .replaceAll('{token}', of(readsFinished ? finished.tokens : tokens))
        .replaceAll('{cursor}', of(cursors))
        .replaceAll('{position}', `${choice % 3}`)
    },
    createdKey: (choice) => keys[(choice >>> 4) % keys.length] ?? null,
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
