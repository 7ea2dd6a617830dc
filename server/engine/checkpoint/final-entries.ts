import { gapsBeforeEntries } from '../../archive/complete.ts'
import type { ArchiveFile } from '../../archive/file.ts'
import { numberDuplicates } from '../../archive/names/entry-name.ts'
import type { FinalPlace } from '../job-order.ts'
import type { StoredEntry } from './checkpoint.ts'

/** The entries of a job as the directory of its archive lists them. */
export interface FinalEntries {
  /** In URL order. */
  readonly all: readonly StoredEntry[]
  /** Those whose names were numbered or whose local headers were extended. */
  readonly changed: readonly StoredEntry[]
  readonly unchanged: readonly StoredEntry[]
}

/**
 * Gives the entries their final names and places. Duplicates are numbered in URL order, so the same responses give the same names,
 * in whatever order they arrive. An entry after a gap begins where the gap does.
 * @param stored in URL order, with their likely names
 */
export function finalEntries(file: ArchiveFile, stored: readonly StoredEntry[]): FinalEntries {
  const names = numberDuplicates(stored.map(({ name }) => name))
  const gapBefore = gapsBeforeEntries(file)
  const changed: StoredEntry[] = []
  const unchanged: StoredEntry[] = []
  const all = stored.map((entry, index) => {
    const name = names[index] ?? entry.name
    const gap = gapBefore(entry.offset)
    if (name === entry.name && gap === undefined) {
      unchanged.push(entry)
      return entry
    }
    const { offset, lengthBytes } = gap ?? { offset: entry.offset, lengthBytes: 0 }
    const final = { ...entry, name, offset, headerBytes: entry.headerBytes + lengthBytes }
    changed.push(final)
    return final
  })
  return { all, changed, unchanged }
}

/** What the row of a changed entry gets. */
export function placeOf({ position, name, offset, headerBytes }: StoredEntry): FinalPlace {
  return { position, name, offset, headerBytes }
}
