import { type Accessor, createMemo, createSignal } from 'solid-js'
import type { Replacement } from '../../api/jobs.ts'
import { ApiError } from '../../api/request.ts'
import { messageOf } from '../../base/message-of.ts'
import { showToast } from '../../base/toasts.tsx'
import { urlProblem } from '../../links/link.ts'
import type { EntryTable } from '../../map/entry-table.ts'

/** The corrected URLs for failed links, kept until they are submitted. */
export interface LinkFixes {
  /** The corrected URL at a position; undefined if there is none. */
  urlAt(position: number): string | undefined
  set(position: number, url: string): void
  /**
   * Corrects many links in one step.
   * @returns a function that undoes it, except for links that were corrected again in the meantime
   */
  setAll(corrected: readonly Replacement[]): () => void
  /** Why a corrected URL can't be fetched; undefined if it can. */
  problemAt(position: number): string | undefined
  readonly count: Accessor<number>
  clear(): void
  /**
   * Sends the corrected URLs by `send`, and forgets them if it succeeds.
   * @returns the position of the first URL with a problem; null if they were sent, or if another error was shown
   */
  submit(send: (replace: readonly Replacement[]) => Promise<void>): Promise<number | null>
}

export function createLinkFixes(entries: EntryTable): LinkFixes {
  const [urls, setUrls] = createSignal<ReadonlyMap<number, string>>(new Map())
  const [problems, setProblems] = createSignal<ReadonlyMap<number, string>>(new Map())
  const count = createMemo(() => urls().size)

  function clear(): void {
    setUrls(new Map())
    setProblems(new Map())
  }

  function change(corrected: readonly Replacement[]): void {
    const next = new Map(urls())
    for (const { position, url } of corrected) {
      if (url === entries.rows()[position]?.url) next.delete(position)
      else next.set(position, url)
    }
    setUrls(next)
    const changed = new Set(corrected.map(({ position }) => position))
    setProblems(new Map([...problems()].filter(([position]) => !changed.has(position))))
  }

  const currentUrl = (position: number) => urls().get(position) ?? entries.rows()[position]?.url ?? ''

  return {
    urlAt: (position) => urls().get(position),
    set: (position, url) => change([{ position, url }]),
    setAll(corrected) {
      const undo = corrected.map(({ position, url }) => ({
        position,
        url: currentUrl(position),
        changed: url,
      }))
      change(corrected)
      return () => change(undo.filter(({ position, changed }) => currentUrl(position) === changed))
    },
    problemAt: (position) => problems().get(position),
    count,
    clear,
    async submit(send) {
      const replace = [...urls()].map(([position, url]) => ({ position, url: url.trim() }))
      const invalid = replace.flatMap(({ position, url }) => {
        const reason = urlProblem(url)
        return reason === null ? [] : [[position, reason] as const]
      })
      setProblems(new Map(invalid))
      if (invalid[0]) return invalid[0][0]
      try {
        await send(replace)
        clear()
        return null
      } catch (error) {
        const rejected = error instanceof ApiError ? rejectedUrls(error, replace) : new Map<number, string>()
        setProblems(rejected)
        const [first] = rejected.keys()
        if (first === undefined) showToast({ text: messageOf(error) })
        return first ?? null
      }
    },
  }
}

/**
 * Maps the service's issues to the positions of the links: one at `replace.3.url` is of the fourth replacement, one at
 * `urls.3` or `files.3.url` is of the fourth link.
 */
function rejectedUrls(
  error: ApiError,
  replace: readonly { position: number }[],
): ReadonlyMap<number, string> {
  return new Map(
    error.issues.flatMap(({ path, message }) => {
      const [, list, index] = /^(replace|urls|files)\.(\d+)\b/.exec(path) ?? []
      const position = list === 'replace' ? replace[Number(index)]?.position : Number(index)
      return position === undefined || Number.isNaN(position)
        ? []
        : [[position, `This link ${message}`] as const]
    }),
  )
}
