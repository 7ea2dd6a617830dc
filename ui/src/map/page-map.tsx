import { type Accessor, createSignal, type JSX } from 'solid-js'
import { lazyPart } from '../base/lazy-part.tsx'
import { createMediaQuery } from '../base/media-query.ts'
import type { EntryRows } from './entry-table.ts'

/** A map is needed only when there are files, so it is not part of the first download. */
export const loadArchiveMap = async () => (await import('./archive-map.tsx')).ArchiveMap
const ArchiveMap = lazyPart(loadArchiveMap)

/** The map of a page. It stays the same while what is around it changes, so that its cells never leave the screen. */
export interface PageMap {
  readonly element: JSX.Element
  /** The file to show in the list. Each new object shows it again. */
  readonly target: Accessor<MapTarget | null>
  readonly show: (position: number) => void
  /** Outlines the cell of a file that is hovered or focused in the list; null for none. */
  readonly highlight: (position: number | null) => void
}

export interface MapTarget {
  readonly position: number
}

/** What a map shows. */
export interface MapFiles {
  readonly entries: EntryRows
  readonly count: number
  /** They are the files of a finished archive. */
  readonly isReady: boolean
}

export function createPageMap(files: Accessor<MapFiles>): PageMap {
  const isBeside = createMediaQuery(FILES_SIDE_BY_SIDE)
  const [highlighted, highlight] = createSignal<number | null>(null)
  const [target, setTarget] = createSignal<MapTarget | null>(null)
  const show = (position: number) => setTarget({ position })
  return {
    element: (
      <ArchiveMap
        entries={files().entries}
        count={files().count}
        place={isBeside() ? 'beside' : 'above'}
        isReady={files().isReady}
        highlighted={highlighted()}
        onSelect={show}
      />
    ),
    target,
    show,
    highlight,
  }
}

/** As in `files-layout.module.css`. */
const FILES_SIDE_BY_SIDE = '(width >= 1200px)'
