import { batch, createEffect, createMemo, createRoot, createSignal, on } from 'solid-js'
import type { Recognised } from '../links/link.ts'
import { linksAsText } from '../links/links-as-text.ts'
import { sessionExpired, sessionKey } from '../session/session.ts'
import { findDuplicates, linksOf } from './draft-links.ts'
import { type Draft, forgetDraft, loadDraft, onDraftOfOtherTab, saveDraft } from './saved-draft.ts'

const EMPTY: Draft = { items: [], text: '' }

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
    show(previous)
  })
}

/** Whether the text is as the conversion made it, so that Ctrl+Z takes back the conversion. */
export function isUntouchedText(): boolean {
  return converted !== null && converted === draft().text
}

/** Adds what was pasted or dropped. Text that is being typed is kept before it. */
export function addItems(items: readonly Recognised[], source?: string): void {
  const before = draft().items
  change({
    items: [...before, ...items],
    text: null,
    ...(before.length === 0 && source !== undefined ? { source } : {}),
  })
}

/** Changes the items, for example by removing some. */
export function changeItems(items: readonly Recognised[]): void {
  change(items.length === 0 ? EMPTY : { items, text: null })
}

/** Sets the text while a person types. The browser itself undoes typing. */
export function typeText(text: string): void {
  show({ items: draft().items, text })
}

/** Sets what was recognised in the typed text. */
export function setTypedItems(items: readonly Recognised[]): void {
  show({ items, text: draft().text })
}

export function editAsText(): void {
  const { items, source } = draft()
  change({ items, text: source ?? linksAsText(items) })
  converted = draft().text
}

export function showAsList(): void {
  change(draft().items.length === 0 ? EMPTY : { items: draft().items, text: null })
}

/** Starts again, for example with the links of an earlier archive. There is nothing to undo. */
export function replaceDraft(items: readonly Recognised[]): void {
  batch(() => {
    setPast([])
    show(items.length === 0 ? EMPTY : { items, text: null })
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
