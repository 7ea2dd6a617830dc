// ui/decisions/draft.md says why a draft is a list, and what is part of it.

import { batch, createEffect, createMemo, createRoot, createSignal, on } from 'solid-js'
import type { Recognised } from '../links/link.ts'
import { linksAsText } from '../links/links-as-text.ts'
import { sessionExpired, sessionKey } from '../session/session.ts'
import { findDuplicates, linksOf } from './draft-links.ts'
import { type Draft, forgetDraft, loadDraft, onDraftOfOtherTab, saveDraft } from './saved-draft.ts'

const EMPTY: Draft = { items: [], text: '', title: null, name: null, page: null }

const [draft, setDraft] = createSignal<Draft>(EMPTY)
const [past, setPast] = createSignal<readonly Draft[]>([])
/** The text that {@link editAsText} made. */
let converted: string | null = null

/** The draft survives navigation, a reload, the end of the session, and is the same in all tabs. */
export { draft }

/** The links of the draft in their order, and those of them that repeat an earlier one. */
export const { draftLinks, draftDuplicates } = createRoot(() => {
  // Showing the items as text, or as a list again, leaves them as they are.
  const items = createMemo(() => draft().items)
  const draftLinks = createMemo(() => linksOf(items()))
  return { draftLinks, draftDuplicates: createMemo(() => findDuplicates(draftLinks())) }
})

export function canUndo(): boolean {
  return past().length > 0
}

/** Takes back the last paste, removal, conversion or other change. */
export function undo(): void {
  const previous = past().at(-1)
  if (previous === undefined) return
  batch(() => {
    setPast((past) => past.slice(0, -1))
    // The browser itself undoes what is typed in the field of the name.
    show({ ...previous, name: draft().name ?? previous.name })
  })
}

/** Whether the text is as the conversion made it, so that Ctrl+Z takes back the conversion. */
export function isUntouchedText(): boolean {
  return converted !== null && converted === draft().text
}

/** What is known of a text in which items were recognised. */
export interface ItemsOrigin {
  /** The whole text, if it may be saved. */
  readonly source?: string | undefined
  readonly title: string | null
}

/** Adds what was pasted or dropped. Text that is being typed is kept before it. */
export function addItems(items: readonly Recognised[], { source, title }: ItemsOrigin): void {
  const { items: before, title: earlierTitle, name } = draft()
  change({
    items: [...before, ...items],
    text: null,
    title: earlierTitle ?? title,
    name,
    page: null,
    ...(before.length === 0 && source !== undefined ? { source } : {}),
  })
}

/** Changes the items, for example by removing some. */
export function changeItems(items: readonly Recognised[]): void {
  const { title, name, page } = draft()
  change(items.length === 0 ? EMPTY : { items, text: null, title, name, page })
}

/** Puts links of a page among the items. If all links are of this page, it may tell the title. */
export function takeFromPage(items: readonly Recognised[], origin: Pick<Draft, 'title' | 'page'>): void {
  const { title, name } = draft()
  change({ items, text: null, title: title ?? origin.title, name, page: origin.page })
}

/** Sets the name of the archive while a person types it; null for the proposed one. */
export function typeName(name: string | null): void {
  show({ ...draft(), name })
}

/** Sets the text while a person types. The browser itself undoes typing. */
export function typeText(text: string): void {
  const { items, title, name } = draft()
  show({ items, text, title, name, page: null })
}

/** Sets what was recognised in the typed text. */
export function setTypedItems(items: readonly Recognised[], title: string | null): void {
  const { text, title: earlierTitle, name } = draft()
  show({ items, text, title: earlierTitle ?? title, name, page: null })
}

export function editAsText(): void {
  const { items, source, title, name, page } = draft()
  change({ items, text: source ?? linksAsText(items), title, name, page })
  converted = draft().text
}

export function showAsList(): void {
  const { items, title, name, page } = draft()
  change(items.length === 0 ? EMPTY : { items, text: null, title, name, page })
}

/** Starts again, for example with the links of an earlier archive. There is nothing to undo. */
export function replaceDraft(
  items: readonly Recognised[],
  { title = null, name = null }: Partial<Pick<Draft, 'title' | 'name'>> = {},
): void {
  batch(() => {
    setPast([])
    show(items.length === 0 ? EMPTY : { items, text: null, title, name, page: null })
  })
}

function change(next: Draft): void {
  batch(() => {
    setPast((past) => [...past, draft()].slice(-MAX_STEPS))
    show(next)
  })
}

function show(next: Draft): void {
  setDraft(next)
  saveDraft(next)
}

createRoot(() => {
  setDraft(loadDraft() ?? EMPTY)
  onDraftOfOtherTab((other) => setDraft(other ?? EMPTY))
  // Signing out clears the draft, so that the next user doesn't see it. If the service refused the key, the draft is kept.
  createEffect(
    on(
      sessionKey,
      (key) => {
        if (key !== null || sessionExpired()) return
        replaceDraft([])
        forgetDraft()
      },
      { defer: true },
    ),
  )
})

/** More steps than a person takes back. A bound, because each holds a list of links. */
const MAX_STEPS = 100
