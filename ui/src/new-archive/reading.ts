import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import { STOPPED } from '../base/stopped.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import { titleOfFile } from '../links/find-title.ts'
import type { Recognised } from '../links/link.ts'
import { urlProblemText } from '../map/url-problem-text.ts'
import { addItems, draft, setTypedItems } from './draft.ts'
import { takeLogins } from './found-logins.ts'
import { type ReadLinks, readLinks } from './read-links.ts'
import type { Transferred, TransferredText } from './transfer.ts'

/** Reads what is pasted, dropped or typed, one after the other. */
export function createReading() {
  const [fraction, setFraction] = createSignal<number | null>(null)
  const [refusals, setRefusals] = createSignal<readonly RefusedPaste[]>([])
  let controller = new AbortController()
  let running: Promise<void> = Promise.resolve()
  /** The typed text that was read last. */
  let readText: string | null = null

  /** Returns the links of all sources, and the title of the first one that has any; null if the reading was stopped. */
  async function readAll(sources: readonly TransferredText[]): Promise<ReadLinks | null> {
    controller.abort(STOPPED)
    controller = new AbortController()
    const { signal } = controller
    const items: Recognised[][] = []
    let title: string | null = null
    setFraction(0)
    try {
      for (const [index, source] of sources.entries()) {
        const onProgress = (part: number) => signal.aborted || setFraction((index + part) / sources.length)
        const read = await readLinks(source.content, { onProgress, signal })
        items.push([...read.items])
        title ??= source.title ?? read.title ?? nameOf(source)
      }
      return signal.aborted ? null : { items: items.flat(), title }
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
    const others: TransferredText[] = []
    for (const source of sources) {
      const links = await takeLogins(source.content)
      if (links === null) others.push(source)
      else copied.push(...links)
    }
    if (copied.length === 0 && others.length === 0) return
    const read = others.length === 0 ? { items: [], title: null } : await readAll(others)
    if (read === null) return
    const { items, title } = read
    const only = others[0]?.content
    if (copied.length === 0 && items.every(({ kind }) => kind === 'text')) {
      setRefusals([...refused.map(refusedFile), ...others.map(({ content }) => withoutLinks(content, items))])
      return
    }
    // A text with a login must not become the text of the draft, which is saved.
    const isOneText = sources.length === 1 && typeof only === 'string'
    addItems([...copied, ...items], { source: isOneText ? only : undefined, title })
  }

  async function readTyped(text: string): Promise<void> {
    const read = await readAll([{ content: text, title: null }])
    if (read !== null && draft().text === text) setTypedItems(read.items, read.title)
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

function nameOf({ content }: TransferredText): string | null {
  return content instanceof File ? titleOfFile(content.name) : null
}

/** Why something that was pasted or dropped is not in the list. */
export interface RefusedPaste {
  readonly text: string
  /** The name of the file; null for a text. */
  readonly file: string | null
}

function refusedFile(name: string): RefusedPaste {
  return {
    text: newArchiveCopy.box.notAList(name),
    file: name,
  }
}

/** Nothing in a text can be fetched: it has no links, or only such as are not supported. */
function withoutLinks(source: string | Blob, items: readonly Recognised[]): RefusedPaste {
  if (source instanceof File) return refusedFile(source.name)
  const [reason] = items.flatMap((item) =>
    item.kind === 'text' && item.reason !== null ? [item.reason] : [],
  )
  return {
    text:
      reason === undefined
        ? newArchiveCopy.box.noLinks
        : newArchiveCopy.box.noLinksBecause(urlProblemText(reason)),
    file: null,
  }
}

export type Reading = ReturnType<typeof createReading>

/** Fast typing has shorter pauses, and nobody notices this one. */
const TYPING_PAUSE_MS = 120
