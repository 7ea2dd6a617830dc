/*
 * The states of a checkpointer, and which methods may come in which. Those of one line may come in any order.
 *
 *   packing    put, fail, drop           an entry is whole, was given up, or must be fetched again
 *              trackPartial              a body in place begins, or goes on; put, fail and drop of its entry end that
 *              noteWritten, flush        bytes were written; they should be durable now
 *              settleWith -> settling    when the entries of earlier runs have been read back
 *              commitOffsets, moved,     nothing else meanwhile: before the first source, to complete a move, or after the last one and
 *              ended                     a flush. Rows that are not committed yet would bring their old offsets
 *   settling   put, fail, drop, trackPartial, noteWritten, flush
 *              settle                    called back by `settleMore`, while a batch begins
 *              relocate                  called back when a batch is committed
 *              endSettling -> packing    before anything is moved or dropped for other reasons
 *   broken     a batch has failed, in either state: the same may come, but nothing is committed any more, and what waits for a commit
 *              rejects
 *   disposed   the end, after the last flush
 *
 * Batches, moves and relocations are made one after the other, in the order in which they were asked for. What is known of entries may
 * be read at any time: it is ahead of what is committed.
 */

import type { ArchiveFile } from '../../archive/file.ts'
import type { ByteMove } from '../../archive/gaps/byte-move.ts'
import type { MoveJournal } from '../../archive/gaps/close-gaps.ts'
import { shifted } from './apply-changes.ts'
import type {
  Checkpoint,
  CheckpointChange,
  CheckpointEntry,
  CommitChanges,
  EntryWarning,
  FinalPlace,
  PartialEntry,
  Stretch,
} from './checkpoint.ts'
import { type EntryQueries, KnownEntries } from './known-entries.ts'
import { settledWithout } from './spaces.ts'

/**
 * Commits packed entries to the checkpoint: makes the bytes durable, and then commits the rows that describe them. Does so
 * in batches, by time and by bytes, so that a crash loses little and many entries share one sync.
 */
export class Checkpointer implements MoveJournal, AsyncDisposable {
  readonly #file: Pick<ArchiveFile, 'unsyncedBytes' | 'sync'>
  readonly #commit: CommitChanges
  readonly #onError: (error: unknown) => void
  readonly #known: KnownEntries
  readonly #partials = new Map<number, PartialBody>()
  readonly #timer: ReturnType<typeof setInterval>
  #settledBytes: number
  #settling: BatchSettling | null = null
  #isAwaited: () => boolean = () => false
  /** Closes a gap before what could be settled. */
  #closing: Promise<void> | null = null
  #flushedAt = performance.now()
  #pending: CheckpointChange[] = []
  #flushing: Promise<void> = Promise.resolve()
  #isFlushWanted = false
  /** Set by the first batch that could not be made durable or committed. */
  #broken: { readonly error: unknown } | null = null

  /** @param onError called when a background flush fails, which ends the job */
  constructor(
    file: Pick<ArchiveFile, 'unsyncedBytes' | 'sync'>,
    known: Pick<Checkpoint, 'entries' | 'settledBytes'>,
    commit: CommitChanges,
    onError: (error: unknown) => void,
  ) {
    this.#file = file
    this.#commit = commit
    this.#onError = onError
    this.#known = new KnownEntries(known)
    this.#settledBytes = known.settledBytes
    this.#timer = setInterval(() => this.#flushWhenDue(), CHECK_INTERVAL_MS)
  }

  /** The entries as they are now, ahead of what is committed. */
  get known(): EntryQueries {
    return this.#known
  }

  /** As in a checkpoint. */
  get settledBytes(): number {
    return this.#settledBytes
  }

  /**
   * From now on, each batch settles what can be settled.
   *
   * @param isAwaited whether a client downloads the archive while it is packed
   */
  settleWith(settling: BatchSettling, isAwaited: () => boolean): void {
    this.#settling = settling
    this.#isAwaited = isAwaited
    for (const entry of this.#known.all()) settling.changed(entry)
  }

  /** Nothing more is settled, and no entry is moved for that. */
  async endSettling(): Promise<void> {
    this.#settling = null
    await this.#closing
  }

  /** So many bytes are settled with the next batch. The headers of the entries in them are written, which have these places. */
  settle(settledBytes: number, places: readonly FinalPlace[]): void {
    for (const place of places) {
      const entry = this.#known.entry(place.position)
      if (entry?.status === 'stored') this.#known.set({ ...entry, ...place })
    }
    this.#settledBytes = settledBytes
    this.#pending.push({ kind: 'settle', settledBytes, places })
  }

  /** Sets an entry whose bytes are written, to be committed with the next batch. */
  put(entry: CheckpointEntry): void {
    this.#partials.delete(entry.position)
    this.#known.setWritten(entry)
    this.#settling?.changed(entry)
    this.#pending.push({ kind: 'put', entry })
    this.noteWritten()
    // Clients may wait for it, and a second is long for a line that has nothing to send.
    const isLarge = entry.status === 'stored' && entry.compressedBytes >= LARGE_ENTRY_BYTES
    const isFirst = this.#settledBytes === 0 && this.#isAwaited()
    if ((isLarge || isFirst) && this.#settling?.canSettle() === true) this.#flushInBackground()
  }

  /** The source of a position was given up. What is kept of its body stays for a later run. */
  fail(position: number, error: string, warning: EntryWarning | null): void {
    const known = this.#known.entry(position)
    const earlierPart = known?.status === 'failed' ? known.part : null
    const part = this.#partials.get(position)?.partialEntry() ?? earlierPart
    this.put({ status: 'failed', position, part, error, warning })
  }

  /** Makes each batch record the progress of an in-place body. */
  trackPartial(position: number, body: PartialBody): void {
    this.#partials.set(position, body)
  }

  /** Deletes entries durably. Only then may their space be used again. */
  async drop(...positions: readonly number[]): Promise<void> {
    for (const position of positions) this.#partials.delete(position)
    const known = positions.flatMap((position) => this.#known.entry(position) ?? [])
    if (known.length === 0) return
    const settledBytes = settledWithout(known, this.#settledBytes)
    if (settledBytes < this.#settledBytes) this.settle(settledBytes, [])
    for (const { position } of known) {
      this.#known.forget(position)
      this.#settling?.dropped(position)
      this.#pending.push({ kind: 'drop', position })
    }
    await this.flush(true)
  }

  /** Call after writing a part of an entry: starts a batch when there are enough bytes. */
  noteWritten(): void {
    const isDue = this.#file.unsyncedBytes >= FLUSH_BYTES || this.#pending.length >= FLUSH_CHANGES
    if (isDue) this.#flushInBackground()
  }

  /**
   * Makes all bytes written so far durable, then commits the pending changes. With `durable` the changes also survive a
   * loss of power.
   */
  flush(durable = false): Promise<void> {
    const flush = this.#flushing.then(() => this.#flushOnce(durable))
    this.#flushing = flush.catch(() => {})
    return flush
  }

  /** Makes copies of entries durable, and then commits their new offsets. All earlier changes are committed before. */
  relocate(offsets: ReadonlyMap<number, number>): Promise<void> {
    const relocated = this.#flushing.then(() => this.#flushOnce(true)).then(() => this.commitOffsets(offsets))
    this.#flushing = relocated.catch(() => {})
    return relocated
  }

  /** Commits new offsets of entries. */
  async commitOffsets(offsets: ReadonlyMap<number, number>): Promise<void> {
    const entries = [...offsets].flatMap(([position, offset]): CheckpointEntry[] => {
      const entry = this.#known.entry(position)
      return entry === undefined || entry.status === 'failed' ? [] : [{ ...entry, offset }]
    })
    const changes = entries.map((entry): CheckpointChange => ({ kind: 'put', entry }))
    await this.#inOrder(() => this.#commit(changes, true))
    for (const entry of entries) this.#known.setMoved(entry)
  }

  /** Commits the progress of a move. */
  async moved(move: ByteMove): Promise<void> {
    await this.#inOrder(() => this.#commit([{ kind: 'move', move }], true))
  }

  /** Commits the end of a move, with the new offsets of its entries. */
  async ended({ from, to, by }: ByteMove): Promise<void> {
    await this.#inOrder(() => this.#commit([{ kind: 'shift', from, to, by }], true))
    for (const entry of this.#known.all()) {
      const moved = shifted(entry, { from, to, by })
      if (moved !== entry) this.#known.setMoved(moved)
    }
  }

  /** Waits for the running flush: the file must not be closed during a sync. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.endSettling()
    await this.#flushing
  }

  /** Clients may wait for the first bytes of the archive, so these don't wait for a whole batch. */
  #flushWhenDue(): void {
    const isDue = performance.now() - this.#flushedAt >= FLUSH_INTERVAL_MS
    if (isDue || (this.#settledBytes === 0 && this.#settling?.canSettle())) this.#flushInBackground()
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
    this.#flushedAt = performance.now()
    this.#settling?.settleMore()
    // Collected before the sync: bytes received during it may not be durable.
    const changes = [...this.#pending, ...this.#grownPartials()]
    this.#pending = []
    const isSettling = changes.some(({ kind }) => kind === 'settle')
    await this.#inOrder(async () => {
      await this.#file.sync()
      if (changes.length > 0) await this.#commit(changes, durable || isSettling)
    })
    if (this.#closing === null) this.#awaitGap(this.#settling?.closeGap() ?? null)
  }

  /**
   * Commits nothing more once a batch has failed: without its rows, those of a later batch would describe what is not there, such
   * as settled bytes whose entries have no names.
   */
  async #inOrder(work: () => Promise<void>): Promise<void> {
    if (this.#broken !== null) throw this.#broken.error
    try {
      await work()
    } catch (error) {
      this.#broken = { error }
      throw error
    }
  }

  #awaitGap(closing: Promise<boolean> | null): void {
    if (closing === null) return
    const closed = (hasMoved: boolean) => {
      this.#closing = null
      if (hasMoved) this.#flushInBackground()
    }
    this.#closing = closing.then(closed, this.#onError)
  }

  *#grownPartials(): Generator<CheckpointChange> {
    for (const [position, body] of this.#partials) {
      const partial = body.partialEntry()
      const known = this.#known.entry(position)
      if (partial === null) continue
      if (known?.status === 'partial' && haveSameBytes(known.stretches, partial.stretches)) continue
      this.#known.set(partial)
      yield { kind: 'put', entry: partial }
    }
  }
}

function haveSameBytes(known: readonly Stretch[], now: readonly Stretch[]): boolean {
  return (
    known.length === now.length &&
    known.every(({ start, end }, index) => start === now[index]?.start && end === now[index]?.end)
  )
}

/** A body of which a part has arrived. */
interface PartialBody {
  /** Null while no bytes are worth keeping. */
  partialEntry(): PartialEntry | null
}

/** Settles the entries at the beginning of the file, one after the other. Implemented by `Settling`. */
export interface BatchSettling {
  /** The URL of the entry is stored, or has failed. */
  changed(entry: CheckpointEntry): void
  /** The URL of this position is fetched again. */
  dropped(position: number): void
  /** Whether `settleMore` would settle any. */
  canSettle(): boolean
  /** Called when a batch begins: calls `settle` of the checkpointer if more can be settled. */
  settleMore(): void
  /**
   * Called when a batch is committed: closes a gap before what could be settled. Null when there is none. Resolves with whether
   * anything was moved, so that more can be settled.
   */
  closeGap(): Promise<boolean> | null
}

/** A crash loses at most 1 s of work, or 64 MiB. */
const FLUSH_INTERVAL_MS = 1000
const FLUSH_BYTES = 64 * 1024 * 1024
/** An entry that can be settled gets a batch of its own: hardly more than there are because of `FLUSH_BYTES`. */
const LARGE_ENTRY_BYTES = 32 * 1024 * 1024
/** How often it is checked whether a batch is due. */
const CHECK_INTERVAL_MS = 100
/** Some megabytes of memory until they are committed. */
const FLUSH_CHANGES = 4096
