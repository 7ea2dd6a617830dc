import { gapsBeforeEntries } from '../../archive/complete.ts'
import type { ArchiveFile } from '../../archive/file.ts'
import { Numbering } from '../../archive/names/entry-name.ts'
import type { FinalPlace, StoredEntry } from './checkpoint.ts'

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
 * in whatever order they arrive. An entry after a gap begins where the gap does. Settled entries have both already.
 * @param stored in URL order, with their likely names
 */
export function finalEntries(
  file: Pick<ArchiveFile, 'gaps'>,
  stored: readonly StoredEntry[],
  settledBytes: number,
): FinalEntries {
  const names = finalNames(stored, settledBytes)
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

/**
 * The final names of entries in URL order, as `NamesAsDecided` gives them one after the other while the other entries are still to come.
 * Settled entries have theirs already.
 */
export function finalNames(
  stored: readonly Pick<StoredEntry, 'name' | 'offset'>[],
  settledBytes: number,
): string[] {
  const numbering = new Numbering()
  for (const { name } of stored) numbering.addFolders(name)
  for (const { name, offset } of stored) if (offset < settledBytes) numbering.take(name)
  return stored.map(({ name, offset }) => (offset < settledBytes ? name : (numbering.next(name) ?? name)))
}

/** What the row of a changed entry gets. */
export function placeOf({ position, name, offset, headerBytes }: StoredEntry): FinalPlace {
  return { position, name, offset, headerBytes }
}
