import { type Accessor, createMemo, createSignal } from 'solid-js'
import { retryJob } from '../../api/jobs.ts'
import { ApiError } from '../../api/request.ts'
import { showToast } from '../../base/toasts.tsx'
import { reasonAgainst } from '../../new-archive/parse-links.ts'
import type { EntryTable } from './entry-table.ts'

/** New URLs for the links of a job that failed, until the job goes on with them. */
export interface LinkFixes {
  /** The new URL at a position; undefined where none was written. */
  at(position: number): string | undefined
  set(position: number, url: string): void
  /** Why a new URL can't be fetched. */
  problemAt(position: number): string | undefined
  readonly count: Accessor<number>
  clear(): void
  /** Lets the job go on with the new URLs. @returns the first position with a problem, null when it goes on */
  resume(skipOthers: boolean): Promise<number | null>
}

export function createLinkFixes(jobId: string, entries: EntryTable): LinkFixes {
  const [urls, setUrls] = createSignal<ReadonlyMap<number, string>>(new Map())
  const [problems, setProblems] = createSignal<ReadonlyMap<number, string>>(new Map())
  const count = createMemo(() => urls().size)

  function clear(): void {
    setUrls(new Map())
    setProblems(new Map())
  }

  return {
    at: (position) => urls().get(position),
    set(position, url) {
      const next = new Map(urls())
      if (url === entries.rows()[position]?.url) next.delete(position)
      else next.set(position, url)
      setUrls(next)
      if (problems().has(position)) setProblems(without(problems(), position))
    },
    problemAt: (position) => problems().get(position),
    count,
    clear,
    async resume(skipOthers) {
      const replace = [...urls()].map(([position, url]) => ({ position, url: url.trim() }))
      const wrong = replace.flatMap(({ position, url }) => {
        const reason = reasonAgainst(url)
        return reason === null ? [] : [[position, reason] as const]
      })
      setProblems(new Map(wrong))
      if (wrong[0]) return wrong[0][0]
      try {
        await retryJob(jobId, { replace, skip_failed: skipOthers })
        clear()
        return null
      } catch (error) {
        const refused = error instanceof ApiError ? refusedUrls(error, replace) : new Map<number, string>()
        setProblems(refused)
        const [first] = refused.keys()
        if (first === undefined) showToast({ text: error instanceof Error ? error.message : String(error) })
        return first ?? null
      }
    },
  }
}

/** What the service says of `replace.3.url`, by the position that the fourth replacement is for. */
function refusedUrls(error: ApiError, replace: readonly { position: number }[]): ReadonlyMap<number, string> {
  return new Map(
    error.issues.flatMap(({ path, message }) => {
      const index = /^replace\.(\d+)\./.exec(path)?.[1]
      const position = index === undefined ? undefined : replace[Number(index)]?.position
      return position === undefined ? [] : [[position, `This link ${message}`] as const]
    }),
  )
}

function without(map: ReadonlyMap<number, string>, position: number): ReadonlyMap<number, string> {
  return new Map([...map].filter(([other]) => other !== position))
}
