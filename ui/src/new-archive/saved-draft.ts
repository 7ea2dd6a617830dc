import { loginKind } from '../../../server/credentials/login-kind.ts'
import { FILE_KINDS } from '../../../server/vocabulary.ts'
import type { Recognised } from '../links/link.ts'
import type { PageSource } from '../repeat/page-fields.tsx'
import { browserStorage } from '../session/browser-storage.ts'

/** The links that a person has collected for the next archive. */
export interface Draft {
  /** What was recognised, in the order of the pastes. */
  readonly items: readonly Recognised[]
  /** The text while it is typed or edited; null while the items are shown as a list. */
  readonly text: string | null
  /** The pasted text, as long as nothing else was done to the items. */
  readonly source?: string
  /** What the pasted or dropped things call themselves: the subject of an e-mail, the title of a page; null if nothing told it. */
  readonly title: string | null
  /** The name of the archive that a person has typed; null until then. */
  readonly name: string | null
  /** The page that all links were taken from, and which of its links; null if they come from elsewhere, too. */
  readonly page: PageSource | null
}

let timer: ReturnType<typeof setTimeout> | undefined
let unsaved: Draft | null = null

/** Saves the draft soon, or when the page is left. All tabs share it. */
export function saveDraft(draft: Draft): void {
  unsaved = draft
  clearTimeout(timer)
  timer = setTimeout(saveNow, SAVE_DELAY_MS)
}

export function forgetDraft(): void {
  unsaved = null
  clearTimeout(timer)
  browserStorage.removeItem(STORAGE_NAME)
}

/** Returns the saved draft; null if there is none that can be read. */
export function loadDraft(): Draft | null {
  return parseDraft(browserStorage.getItem(STORAGE_NAME))
}

/** Calls `listener` when another tab has saved or forgotten its draft. */
export function onDraftOfOtherTab(listener: (draft: Draft | null) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== STORAGE_NAME) return
    // What this tab would still save is older than what the other tab has saved.
    unsaved = null
    listener(parseDraft(newValue))
  })
}

function saveNow(): void {
  if (unsaved === null) return
  const { items, text, title, name, page } = unsaved
  unsaved = null
  try {
    const isEmpty = items.length === 0 && text === ''
    // A login that is typed stays in this tab.
    if (isEmpty || loginKind(text ?? '') !== null) browserStorage.removeItem(STORAGE_NAME)
    else browserStorage.setItem(STORAGE_NAME, JSON.stringify({ items, text, title, name, page }))
  } catch {
    // The draft is longer than what browsers store, or the browser stores nothing. It stays in this tab.
    browserStorage.removeItem(STORAGE_NAME)
  }
}

function parseDraft(saved: string | null): Draft | null {
  try {
    const draft: unknown = JSON.parse(saved ?? 'null')
    if (!isDraft(draft)) return null
    const { items, text } = draft
    return {
      items: items.map(renewed),
      text,
      title: textOf(draft, 'title'),
      name: textOf(draft, 'name'),
      page: pageOf(draft),
    }
  } catch {
    return null
  }
}

/** Earlier versions saved drafts without a title and a name. */
function textOf(draft: object, field: string): string | null {
  const value: unknown = Object.entries(draft).find(([key]) => key === field)?.[1]
  return typeof value === 'string' ? value : null
}

function pageOf(draft: object): PageSource | null {
  const page: unknown = 'page' in draft ? draft.page : null
  if (typeof page !== 'object' || page === null) return null
  const url = textOf(page, 'url')
  const kind = FILE_KINDS.find((kind) => 'kind' in page && page.kind === kind) ?? null
  return url === null ? null : { url, kind, match: textOf(page, 'match') }
}

function isDraft(value: unknown): value is Pick<Draft, 'items' | 'text'> {
  if (typeof value !== 'object' || value === null || !('items' in value) || !('text' in value)) return false
  const { items, text } = value
  return (typeof text === 'string' || text === null) && Array.isArray(items) && items.every(isItem)
}

function isItem(value: unknown): value is Recognised {
  return typeof value === 'object' && value !== null && 'kind' in value && ('url' in value || 'text' in value)
}

/** Earlier versions saved links without a scheme as offers, and reasons in English. */
function renewed(item: Recognised): Recognised {
  if (item.kind === 'text' && typeof item.reason === 'string') return { ...item, reason: null }
  const kind: string = item.kind
  if (kind !== 'offer' || !('url' in item && 'text' in item)) return item
  return { kind: 'schemeless', url: item.url, text: item.text }
}

addEventListener('pagehide', saveNow)

const STORAGE_NAME = 'holdall.draft'
/** Writing thousands of links at each key press would delay typing. */
const SAVE_DELAY_MS = 250
