import type { Space } from '../../archive/file.ts'
import type { LocatedEntry } from '../../archive/gaps/plan-moves.ts'
import type { Checkpoint, CheckpointEntry, PartialEntry, StoredEntry } from './checkpoint.ts'
import { spacesOf } from './spaces.ts'

/** The entries of a running job as they are now, durable or not. */
export class KnownEntries {
  readonly #byPosition = new Map<number, CheckpointEntry>()
  /** Of whole entries, by where they begin in the file. */
  readonly #positionsAt = new Map<number, number>()
  readonly #uncertain = new Set<number>()

  /** Those of earlier runs. */
  constructor({ entries, settledBytes }: Pick<Checkpoint, 'entries' | 'settledBytes'>) {
    for (const entry of entries) {
      this.set(entry)
      const isSettled = entry.status === 'stored' && entry.offset < settledBytes
      if (!isSettled) this.#uncertain.add(entry.position)
    }
  }

  entry(position: number): CheckpointEntry | undefined {
    return this.#byPosition.get(position)
  }

  all(): CheckpointEntry[] {
    return [...this.#byPosition.values()]
  }

  /** Whole entries, by position. */
  stored(): StoredEntry[] {
    return this.all()
      .filter((entry) => entry.status === 'stored')
      .sort((a, b) => a.position - b.position)
  }

  /** The whole entry that begins here in the file. */
  storedAt(offset: number): StoredEntry | undefined {
    const position = this.#positionsAt.get(offset)
    const entry = position === undefined ? undefined : this.#byPosition.get(position)
    return entry?.status === 'stored' ? entry : undefined
  }

  /** In-place bodies that are not whole yet. */
  partial(): PartialEntry[] {
    return this.all().filter((entry) => entry.status === 'partial')
  }

  failedCount(): number {
    return this.#byPosition.values().reduce((count, { status }) => count + (status === 'failed' ? 1 : 0), 0)
  }

  /**
   * Positions of the entries whose local headers may not be those of their rows. An earlier run has written them, perhaps with a
   * number that the name no longer needs, or they were moved, and a header depends on its offset.
   */
  uncertainPositions(): ReadonlySet<number> {
    return this.#uncertain
  }

  /** The spaces of all entries. */
  spaces(): Space[] {
    return this.all().flatMap(spacesOf)
  }

  /** The locations of whole entries. */
  locations(): LocatedEntry[] {
    return this.stored().map(({ position, offset, headerBytes, compressedBytes }) => {
      return { position, offset, lengthBytes: headerBytes + compressedBytes }
    })
  }

  /** Sets the entry of a position, whose local header may be that of its row or not, as before. */
  set(entry: CheckpointEntry): void {
    this.forget(entry.position)
    this.#byPosition.set(entry.position, entry)
    if (entry.status === 'stored') this.#positionsAt.set(entry.offset, entry.position)
  }

  /** Sets an entry whose local header is that of its row. */
  setWritten(entry: CheckpointEntry): void {
    this.#uncertain.delete(entry.position)
    this.set(entry)
  }

  /** Sets an entry whose bytes, its local header included, were moved to its offset. */
  setMoved(entry: CheckpointEntry): void {
    this.set(entry)
    this.#uncertain.add(entry.position)
  }

  forget(position: number): void {
    const entry = this.#byPosition.get(position)
    this.#byPosition.delete(position)
    if (entry?.status === 'stored' && this.#positionsAt.get(entry.offset) === position)
      this.#positionsAt.delete(entry.offset)
  }
}

/** What may be asked of them. Only the checkpointer changes them. */
export type EntryQueries = Omit<KnownEntries, 'set' | 'setWritten' | 'setMoved' | 'forget'>
