// ui/decisions/fixing-links.md says why a fix makes a new archive.

import { type Accessor, createMemo, createSignal, untrack } from 'solid-js'
import type { Replacement } from '../../api/jobs.ts'
import { ApiError } from '../../api/request.ts'
import { inSentence, type Message, messageOf, wordsOfService } from '../../base/message.ts'
import { showToast } from '../../base/toasts.tsx'
import { archivePageCopy } from '../../language/english/archive-page.ts'
import { urlProblem } from '../../links/link.ts'
import type { EntryTable } from '../../map/entry-table.ts'
import { urlProblemText } from '../../map/url-problem-text.ts'
import { type Fixes, type LinkChoice, loadFixes, NO_FIXES, saveFixes } from './saved-fixes.ts'

/** The corrected URLs for failed links, and which of them are to be left out, kept until they are submitted. */
export interface LinkFixes {
  /** The corrected URL at a position; undefined if there is none. */
  urlAt(position: number): string | undefined
  set(position: number, url: string): void
  /** What is to become of a link as it is; undefined if nothing was chosen. */
  choiceAt(position: number): LinkChoice | undefined
  /** Chooses what is to become of a link, which discards its correction; null takes the choice back. */
  choose(position: number, choice: LinkChoice | null): void
  /**
   * Corrects many links in one step.
   * @returns a function that undoes it, except for links that were corrected again in the meantime
   */
  setAll(corrected: readonly Replacement[]): () => void
  /** Why a corrected URL can't be fetched; undefined if it can. */
  problemAt(position: number): Message | undefined
  /** How many links have a new URL. */
  readonly count: Accessor<number>
  /** How many links are to be fetched again as they are. */
  readonly retryCount: Accessor<number>
  /** The positions of the links that are to be left out. */
  readonly leftOut: Accessor<ReadonlySet<number>>
  /** Whether there is anything to submit or to discard. */
  readonly isEmpty: Accessor<boolean>
  clear(): void
  /**
   * Sends the corrected URLs by `send`, and forgets them if it succeeds.
   * @returns the position of the first URL with a problem; null if they were sent, or if another error was shown
   */
  submit(send: (replace: readonly Replacement[]) => Promise<void>): Promise<number | null>
}

/** @param archive the name under which they are saved: fixes of a failed archive are none of the ready one */
export function createLinkFixes(entries: EntryTable, archive: Accessor<string>): LinkFixes {
  const [fixes, setFixes] = createSignal(untrack(() => loadFixes(archive())))
  const [problems, setProblems] = createSignal<ReadonlyMap<number, Message>>(new Map())
  const urls = () => fixes().urls
  // An emptied field fixes nothing.
  const count = createMemo(() => [...urls().values()].filter((url) => url.trim() !== '').length)
  const chosen = (wanted: LinkChoice) =>
    [...fixes().choices].filter(([, choice]) => choice === wanted).map(([position]) => position)
  const retried = createMemo(() => chosen('retry'))
  const leftOut = createMemo(() => new Set(chosen('leave out')))

  function save(fixes: Fixes): void {
    setFixes(fixes)
    saveFixes(archive(), fixes)
  }

  function clear(): void {
    save(NO_FIXES)
    setProblems(new Map())
  }

  function change(corrected: readonly Replacement[]): void {
    const next = new Map(urls())
    const choices = new Map(fixes().choices)
    for (const { position, url } of corrected) {
      if (url === entries.rows()[position]?.url) next.delete(position)
      else next.set(position, url)
      choices.delete(position)
    }
    save({ urls: next, choices })
    const changed = new Set(corrected.map(({ position }) => position))
    setProblems(new Map([...problems()].filter(([position]) => !changed.has(position))))
  }

  const currentUrl = (position: number) => urls().get(position) ?? entries.rows()[position]?.url ?? ''

  return {
    urlAt: (position) => urls().get(position),
    set: (position, url) => change([{ position, url }]),
    choiceAt: (position) => fixes().choices.get(position),
    choose(position, choice) {
      change([{ position, url: entries.rows()[position]?.url ?? '' }])
      if (choice !== null) save({ urls: urls(), choices: new Map(fixes().choices).set(position, choice) })
    },
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
    retryCount: () => retried().length,
    leftOut,
    isEmpty: () => urls().size === 0 && fixes().choices.size === 0,
    clear,
    async submit(send) {
      const fixed = [...urls()].map(([position, url]) => ({ position, url: url.trim() }))
      const again = retried().map((position) => ({ position, url: entries.rows()[position]?.url ?? '' }))
      const replace = [...fixed, ...again]
      const invalid = fixed.flatMap(({ position, url }) => {
        if (url === '') return [[position, archivePageCopy.row.isEmpty] as const]
        const problem = urlProblem(url)
        return problem === null ? [] : [[position, urlProblemText(problem)] as const]
      })
      setProblems(new Map(invalid))
      if (invalid[0]) return invalid[0][0]
      try {
        await send(replace)
        clear()
        return null
      } catch (error) {
        const rejected = error instanceof ApiError ? rejectedUrls(error, replace) : new Map<number, Message>()
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
): ReadonlyMap<number, Message> {
  return new Map(
    error.issues.flatMap(({ path, message }) => {
      const [, list, index] = /^(replace|urls|files)\.(\d+)\b/.exec(path) ?? []
      const position = list === 'replace' ? replace[Number(index)]?.position : Number(index)
      return position === undefined || Number.isNaN(position)
        ? []
        : [[position, inSentence(wordsOfService(message), archivePageCopy.row.isRejected)] as const]
    }),
  )
}
