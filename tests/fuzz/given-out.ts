/** Ids, tokens and cursors from responses, for later requests. */
export interface GivenOut {
  /** Collects them from a response. */
  take(body: unknown): void
  /** Replaces `{id}`, `{token}` and `{cursor}` in a path. */
  fill(path: string, choice: number): string
  /** A key that a request created, which may have been revoked since; null when there is none yet. */
  madeKey(choice: number): string | null
}

/** The number kept of each, the newest. */
const KEPT = 50
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

/** `archives` are tokens of archives that no request deletes. */
export function openGivenOut(archives: readonly string[]): GivenOut {
  const jobs: string[] = []
  const apiKeys: string[] = []
  const tokens: string[] = []
  const cursors: string[] = []
  const keys: string[] = []

  function keep(list: string[], text: unknown): void {
    if (typeof text !== 'string') return
    list.push(text)
    if (list.length > KEPT) list.shift()
  }

  return {
    take(body) {
      const { job_id, job, api_key, meta } = asObject(body)
      keep(jobs, job_id)
      keep(apiKeys, asObject(api_key).id)
      keep(keys, asObject(api_key).key)
      keep(cursors, asObject(meta).next_cursor)
      const { download_url } = asObject(job)
      if (typeof download_url === 'string') keep(tokens, download_url.split('/').at(-1))
    },
    fill(path, choice) {
      const of = (list: readonly string[]) => list[choice % list.length] ?? UNKNOWN_ID
      return path
        .replaceAll('{id}', of(path.startsWith('/api-keys') ? apiKeys : jobs))
        .replaceAll('{token}', of(choice % 2 === 0 ? archives : tokens))
        .replaceAll('{cursor}', of(cursors))
    },
    madeKey: (choice) => keys[(choice >>> 4) % keys.length] ?? null,
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
