import { gapsBeforeEntries } from '../../archive/complete.ts'
import type { ArchiveFile, Space } from '../../archive/file.ts'
import type { EntryFields } from '../../archive/format.ts'
import { numberDuplicates } from '../../archive/names/entry-name.ts'
import type { FinalPlace } from '../job-order.ts'
import { newFields, type StoredEntries } from './stored-entries.ts'

/**
 * The entries of a job as the directory of its archive will list them. Duplicates are numbered in URL order, so the same
 * responses give the same names, in whatever order they arrive. Keeps only what changes: most entries stay as they are. An entry
 * is valid until the next one is asked for: all are made in the same object.
 */
export class FinalEntries implements Iterable<EntryFields> {
  readonly #entries: StoredEntries
  readonly #positions: Uint32Array
  /** In the order of the positions. */
  readonly #names: readonly string[]
  readonly #changed = new Map<number, FinalPlace>()
  readonly #fields = newFields()

  constructor(file: ArchiveFile, entries: StoredEntries) {
    this.#entries = entries
    this.#positions = entries.positions()
    const likelyNames: string[] = []
    // Not with `Array.from`, which would double the time of this constructor.
    this.#positions.forEach((position) => {
      likelyNames.push(entries.name(position))
    })
    this.#names = numberDuplicates(likelyNames)
    const gapBefore = gapsBeforeEntries(file)
    this.#positions.forEach((position, index) => {
      const name = this.#names[index] ?? ''
      const gap = gapBefore(entries.offset(position))
      if (name === likelyNames[index] && gap === undefined) return
      const { offset, headerBytes } = entries.fields(position, name, this.#fields)
      const place = gap === undefined ? { offset, headerBytes } : extended(headerBytes, gap)
      this.#changed.set(position, { position, name, ...place })
    })
  }

  /** Entries whose names were numbered or whose local headers were extended. */
  get changed(): FinalPlace[] {
    return [...this.#changed.values()]
  }

  /** The same entries, as the directory lists them. */
  changedEntries(): Generator<EntryFields> {
    return this.#at(this.#changed)
  }

  /** The entries at these positions, if they are there and unchanged. */
  unchangedAt(positions: ReadonlySet<number>): Generator<EntryFields> {
    return this.#at(positions.difference(this.#changed))
  }

  *[Symbol.iterator](): Generator<EntryFields> {
    for (let index = 0; index < this.#positions.length; index += 1) yield this.#entry(index)
  }

  *#at(wanted: ReadonlySetLike<number>): Generator<EntryFields> {
    if (wanted.size === 0) return
    for (let index = 0; index < this.#positions.length; index += 1)
      if (wanted.has(this.#positions[index] ?? 0)) yield this.#entry(index)
  }

  #entry(index: number): EntryFields {
    const position = this.#positions[index] ?? 0
    const fields = this.#entries.fields(position, this.#names[index] ?? '', this.#fields)
    const change = this.#changed.get(position)
    if (change !== undefined) {
      fields.offset = change.offset
      fields.headerBytes = change.headerBytes
    }
    return fields
  }
}

/** The place of an entry whose local header is extended to the beginning of the gap before it. */
function extended(headerBytes: number, gap: Space): { offset: number; headerBytes: number } {
  return { offset: gap.offset, headerBytes: headerBytes + gap.lengthBytes }
}
