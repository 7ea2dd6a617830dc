import { createEffect, createRoot, on } from 'solid-js'
import { tabStorage } from '../../session/browser-storage.ts'
import { sessionKey } from '../../session/session.ts'

/** What a person has decided about links of an archive, by their position. */
export interface Fixes {
  readonly urls: ReadonlyMap<number, string>
  readonly choices: ReadonlyMap<number, LinkChoice>
}

/** What is to become of a link as it is. */
export type LinkChoice = 'retry' | 'leave out'

export const NO_FIXES: Fixes = { urls: new Map(), choices: new Map() }

/** The fixes of an archive survive navigation and a reload, until the tab is closed or its user signs out. */
export function loadFixes(archive: string): Fixes {
  const saved = readAll().find(([name]) => name === archive)?.[1]
  return saved === undefined ? NO_FIXES : { urls: new Map(saved.urls), choices: new Map(saved.choices) }
}

export function saveFixes(archive: string, { urls, choices }: Fixes): void {
  const others = readAll().filter(([name]) => name !== archive)
  const isEmpty = urls.size === 0 && choices.size === 0
  const all = isEmpty ? others : [...others, [archive, { urls: [...urls], choices: [...choices] }]]
  try {
    tabStorage.setItem(STORAGE_NAME, JSON.stringify(all.slice(-MAX_ARCHIVES)))
  } catch {
    // The storage is full: they are kept as long as the page of the archive is open.
  }
}

type SavedFixes = [archive: string, { urls: [number, string][]; choices: [number, LinkChoice][] }]

function readAll(): SavedFixes[] {
  return JSON.parse(tabStorage.getItem(STORAGE_NAME) ?? '[]')
}

createRoot(() => createEffect(on(sessionKey, () => tabStorage.removeItem(STORAGE_NAME), { defer: true })))

const STORAGE_NAME = 'holdall.fixes'
/** A bound, because each may have the links of a whole archive. */
const MAX_ARCHIVES = 20
