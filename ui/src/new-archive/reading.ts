import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import { STOPPED } from '../base/stopped.ts'
import type { Recognised } from '../links/link.ts'
import { addItems, draft, setTypedItems } from './draft.ts'
import { takeLogins } from './found-logins.ts'
import { readLinks } from './read-links.ts'
import type { Transferred } from './transfer.ts'

/** Reads what is pasted, dropped or typed, one after the other. */
export function createReading() {
  const [fraction, setFraction] = createSignal<number | null>(null)
  const [refusals, setRefusals] = createSignal<readonly Refusal[]>([])
  let controller = new AbortController()
  let running: Promise<void> = Promise.resolve()
  /** The typed text that was read last. */
  let readText: string | null = null

  async function readAll(sources: readonly (string | Blob)[]): Promise<Recognised[] | null> {
    controller.abort(STOPPED)
    controller = new AbortController()
    const { signal } = controller
    const items: Recognised[][] = []
    setFraction(0)
    try {
      for (const [index, source] of sources.entries()) {
        const onProgress = (part: number) => signal.aborted || setFraction((index + part) / sources.length)
        items.push(await readLinks(source, { onProgress, signal }))
      }
      return signal.aborted ? null : items.flat()
    } catch (error) {
      if (signal.aborted) return null
      throw error
    } finally {
      if (!signal.aborted) setFraction(null)
    }
  }

  async function add(transferred: Promise<Transferred>): Promise<void> {
    const { sources, refused } = await transferred
    setRefusals(refused.map(refusedFile))
    const copied: Recognised[] = []
    const others: (string | Blob)[] = []
    for (const source of sources) {
      const links = await takeLogins(source)
      if (links === null) others.push(source)
      else copied.push(...links)
    }
    if (copied.length === 0 && others.length === 0) return
    const items = others.length === 0 ? [] : await readAll(others)
    if (items === null) return
    const [only] = others
    if (copied.length === 0 && items.every(({ kind }) => kind === 'text')) {
      setRefusals([...refused.map(refusedFile), ...others.map((source) => withoutLinks(source, items))])
      return
    }
    // A text with a login must not become the text of the draft, which is saved.
    const isOneText = sources.length === 1 && typeof only === 'string'
    addItems([...copied, ...items], isOneText ? only : undefined)
  }

  async function readTyped(text: string): Promise<void> {
    const items = await readAll([text])
    if (items !== null && draft().text === text) setTypedItems(items)
  }

  // Typing is read when it pauses, so that reading thousands of lines does not delay it.
  createEffect(
    on(
      () => draft().text,
      (text) => {
        if (text === null || text === readText) return
        const timer = setTimeout(() => void settle(), TYPING_PAUSE_MS)
        onCleanup(() => clearTimeout(timer))
      },
    ),
  )
  async function readUnreadText(): Promise<void> {
    const { text } = draft()
    if (text === null || text === readText) return
    readText = text
    setRefusals([])
    await readTyped(text)
  }

  /** Waits until everything is read, also what has just been typed. */
  function settle(): Promise<void> {
    running = running.then(readUnreadText)
    return running
  }

  onCleanup(() => controller.abort(STOPPED))
  return {
    /** From 0 to 1; null while nothing is read. */
    fraction,
    /** What was pasted or dropped last and brought no links. */
    refusals,
    add(transferred: Promise<Transferred>): void {
      // What has been typed comes first.
      running = settle().then(() => add(transferred))
    },
    settle,
    cancel(): void {
      controller.abort(STOPPED)
      setFraction(null)
    },
  }
}

/** Why something that was pasted or dropped is not in the list. */
export interface Refusal {
  readonly text: string
  /** The name of the file; null for a text. */
  readonly file: string | null
}

function refusedFile(name: string): Refusal {
  return {
    text: `${name} is not a list of links. Drop a list, a table or a web page with links in it.`,
    file: name,
  }
}

/** Nothing in a text can be fetched: it has no links, or only such as are not supported. */
function withoutLinks(source: string | Blob, items: readonly Recognised[]): Refusal {
  if (source instanceof File) return refusedFile(source.name)
  const [reason] = items.flatMap((item) =>
    item.kind === 'text' && item.reason !== null ? [item.reason] : [],
  )
  return { text: reason === undefined ? NO_LINKS : `${NO_LINKS}: ${reason}`, file: null }
}

/** Said of a text in which nothing was recognised. */
export const NO_LINKS = 'No links in that text'

export type Reading = ReturnType<typeof createReading>

/** Fast typing has shorter pauses, and nobody notices this one. */
const TYPING_PAUSE_MS = 120
