import type { ArchiveFile, Space } from '../archive/archive-file.ts'
import type { MoveJournal } from '../archive/close-gaps.ts'
import type { PlacedEntry } from '../archive/plan-moves.ts'
import type { Slide } from '../archive/slide.ts'
import { shifted } from './apply-changes.ts'
import type {
  CheckpointChange,
  CheckpointEntry,
  CommitCheckpoint,
  PartialEntry,
  StoredEntry,
} from './checkpoint.ts'
import { spaceOf } from './held-entries.ts'

/**
 * Turns what has been packed into a checkpoint: rows are handed out only after the bytes that they describe are
 * durable, in batches by time and by bytes, so that a crash costs little and a sync is shared by many entries.
 */
export class Checkpointer implements MoveJournal, AsyncDisposable {
  readonly #file: ArchiveFile
  readonly #commit: CommitCheckpoint
  readonly #onError: (error: unknown) => void
  readonly #entries = new Map<number, CheckpointEntry>()
  /** Positions whose entries this run has packed itself. */
  readonly #packed = new Set<number>()
  readonly #partials = new Map<number, () => PartialEntry | null>()
  readonly #timer: ReturnType<typeof setInterval>
  #pending: CheckpointChange[] = []
  #flushing: Promise<void> = Promise.resolve()
  #isFlushWanted = false

  /** @param onError told when a flush in the background fails: the job can't go on */
  constructor(
    file: ArchiveFile,
    known: readonly CheckpointEntry[],
    commit: CommitCheckpoint,
    onError: (error: unknown) => void,
  ) {
    this.#file = file
    this.#commit = commit
    this.#onError = onError
    for (const entry of known) this.#entries.set(entry.position, entry)
    this.#timer = setInterval(() => this.#flushInBackground(), FLUSH_INTERVAL_MS)
  }

  /** What is known of a position, durable or about to be. */
  entry(position: number): CheckpointEntry | undefined {
    return this.#entries.get(position)
  }

  /** Whole entries, by position. */
  storedEntries(): StoredEntry[] {
    const stored = [...this.#entries.values()].filter((entry) => entry.status === 'stored')
    return stored.sort((a, b) => a.position - b.position)
  }

  /** Whether this run has written the entry, its header included; else an earlier one did. */
  isPackedNow(position: number): boolean {
    return this.#packed.has(position)
  }

  /** Large bodies that are on their way, or were when an earlier run ended. */
  partialEntries(): PartialEntry[] {
    return [...this.#entries.values()].filter((entry) => entry.status === 'partial')
  }

  failedCount(): number {
    return this.#entries.values().reduce((count, entry) => count + (entry.status === 'failed' ? 1 : 0), 0)
  }

  /** Keeps the word on an entry, to be made durable with the next batch. */
  put(entry: CheckpointEntry): void {
    this.#partials.delete(entry.position)
    this.#packed.add(entry.position)
    this.#entries.set(entry.position, entry)
    this.#pending.push({ kind: 'put', entry })
  }

  /** Lets each batch record how far a large body has come; `look` gives null while nothing is worth keeping. */
  trackPartial(position: number, current: () => PartialEntry | null): void {
    this.#partials.set(position, current)
  }

  /** Forgets entries for good: only then may their space be used again. */
  async drop(...positions: readonly number[]): Promise<void> {
    for (const position of positions) this.#partials.delete(position)
    const known = positions.filter((position) => this.#entries.delete(position))
    if (known.length === 0) return
    this.#pending.push(...known.map((position) => ({ kind: 'drop', position }) as const))
    await this.flush(true)
  }

  /** Called as bytes are written: enough of them are a batch of their own. */
  noteWritten(): void {
    if (this.#file.unsyncedBytes >= FLUSH_BYTES) this.#flushInBackground()
  }

  /**
   * Makes all that was written so far durable, and then the word on it. With `durable` the word survives a loss of
   * power, too, not only of the process.
   */
  flush(durable = false): Promise<void> {
    const flush = this.#flushing.then(() => this.#flushOnce(durable))
    this.#flushing = flush.catch(() => {})
    return flush
  }

  /** The spaces of all entries. */
  spaces(): Space[] {
    return [...this.#entries.values()].flatMap(spaceOf)
  }

  /** Where whole entries lie. */
  places(): PlacedEntry[] {
    return this.storedEntries().map(({ position, offset, headerBytes, compressedBytes }) => {
      return { position, offset, lengthBytes: headerBytes + compressedBytes }
    })
  }

  /** Writes down that entries lie elsewhere. */
  async relocated(offsets: ReadonlyMap<number, number>): Promise<void> {
    const entries = [...this.#entries.values()].flatMap((entry): CheckpointEntry[] => {
      const offset = offsets.get(entry.position)
      return offset === undefined || entry.status === 'failed' ? [] : [{ ...entry, offset }]
    })
    await this.#commit(
      entries.map((entry) => ({ kind: 'put', entry })),
      true,
    )
    for (const entry of entries) this.#entries.set(entry.position, entry)
  }

  /** Writes down how far a move of bytes inside the file has got. */
  async moved(slide: Slide): Promise<void> {
    await this.#commit([{ kind: 'slide', slide }], true)
  }

  /** Writes down that a move is over, and where the entries lie now. */
  async ended({ from, to, by }: Slide): Promise<void> {
    await this.#commit([{ kind: 'shift', from, to, by }], true)
    for (const [position, entry] of this.#entries)
      this.#entries.set(position, shifted(entry, { from, to, by }))
  }

  /** The file may be closed only when no sync is under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#flushing
  }

  #flushInBackground(): void {
    if (this.#isFlushWanted) return
    this.#isFlushWanted = true
    const flush = this.#flushing.then(() => {
      this.#isFlushWanted = false
      return this.#flushOnce(false)
    })
    this.#flushing = flush.catch(this.#onError)
  }

  async #flushOnce(durable: boolean): Promise<void> {
    // Taken before the sync: what is received during it may not be durable after it.
    const changes = [...this.#pending, ...this.#grownPartials()]
    this.#pending = []
    await this.#file.sync()
    if (changes.length > 0) await this.#commit(changes, durable)
  }

  *#grownPartials(): Generator<CheckpointChange> {
    for (const [position, current] of this.#partials) {
      const partial = current()
      const known = this.#entries.get(position)
      if (partial === null) continue
      if (known?.status === 'partial' && known.durableBytes === partial.durableBytes) continue
      this.#entries.set(position, partial)
      yield { kind: 'put', entry: partial }
    }
  }
}

/** A crash costs at most a second of work, or so many bytes of it. */
const FLUSH_INTERVAL_MS = 1000
const FLUSH_BYTES = 64 * 1024 * 1024
