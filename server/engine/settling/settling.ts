// server/decisions/early-downloads.md says what is settled, and why.

import { localFileHeader, MAX_PADDING_BYTES } from '../../archive/format.ts'
import type { CheckpointEntry, StoredEntry } from '../checkpoint/checkpoint.ts'
import type { BatchSettling, Checkpointer } from '../checkpoint/checkpointer.ts'
import { placeOf } from '../checkpoint/final-entries.ts'
import type { JobOrder } from '../job-order.ts'
import { closeGapInTheWay, type GapClosingArchive, gapInTheWay } from './close-gap.ts'
import type { LateDoubts } from './late-doubts.ts'
import type { NamesAsDecided } from './names-as-decided.ts'

/** What settling uses of the archive. */
export interface SettlingArchive extends GapClosingArchive {
  readonly checkpointer: GapClosingArchive['checkpointer'] & Pick<Checkpointer, 'settle'>
}

/** What decides which entries can be settled. */
interface SettlingRules extends Pick<JobOrder, 'failOnUrlError'> {
  readonly names: NamesAsDecided
  readonly doubts: Pick<LateDoubts, 'has'>
}

/**
 * Settles the beginning of an archive while the rest is packed: the longest stretch of its file in which nothing is missing and
 * nothing will change, so that it can be sent. It ends before the first entry that is not whole, whose name can still change, or
 * that is in doubt, and before the first gap that padding can't fill.
 */
export class Settling implements BatchSettling {
  readonly #archive: SettlingArchive
  readonly #rules: SettlingRules

  constructor(archive: SettlingArchive, rules: SettlingRules) {
    this.#archive = archive
    this.#rules = rules
  }

  changed(entry: CheckpointEntry): void {
    const { names, failOnUrlError } = this.#rules
    const { position, status } = entry
    // With `failOnUrlError` a failed URL is not left out: a later run fetches it.
    if (status === 'failed' && !failOnUrlError) names.decide(position, null)
    if (status !== 'stored') return
    names.decide(position, entry.name)
    if (entry.offset < this.#archive.checkpointer.settledBytes) names.keep(position, entry.name)
  }

  dropped(position: number): void {
    this.#rules.names.undecide(position)
  }

  canSettle(): boolean {
    return this.#next(this.#archive.checkpointer.settledBytes) !== null
  }

  settleMore(): void {
    const { file, checkpointer } = this.#archive
    const { names } = this.#rules
    const places: StoredEntry[] = []
    let end = checkpointer.settledBytes
    const uncertain = checkpointer.known.uncertainPositions()
    for (let next = this.#next(end); next !== null; next = this.#next(end)) {
      const { entry, final } = next
      const isChanged = final.name !== entry.name || final.offset !== entry.offset
      if (isChanged || uncertain.has(entry.position)) {
        // What is still buffered must not overwrite the new header later.
        file.flush()
        file.write(localFileHeader(final), final.offset)
      }
      if (isChanged) places.push(final)
      if (final.offset !== entry.offset) file.absorbGap(end)
      names.keep(entry.position, final.name)
      end = final.offset + final.headerBytes + final.compressedBytes
    }
    if (end > checkpointer.settledBytes) checkpointer.settle(end, places.map(placeOf))
  }

  closeGap(): Promise<boolean> | null {
    if (gapInTheWay(this.#archive) === null) return null
    return closeGapInTheWay(this.#archive, (entry) => this.#finalName(entry) !== null)
  }

  /** The entry that can be settled after this offset, as it is and as it will be. */
  #next(end: number): { readonly entry: StoredEntry; readonly final: StoredEntry } | null {
    const { file, checkpointer } = this.#archive
    const gap = file.gaps[0]
    const gapBytes = gap?.offset === end ? gap.lengthBytes : 0
    if (gapBytes >= MAX_PADDING_BYTES) return null
    const entry = checkpointer.known.storedAt(end + gapBytes)
    const name = entry === undefined ? null : this.#finalName(entry)
    if (entry === undefined || name === null) return null
    return { entry, final: { ...entry, name, offset: end, headerBytes: entry.headerBytes + gapBytes } }
  }

  /** Null while the entry may still be renamed or dropped. */
  #finalName({ position }: StoredEntry): string | null {
    const { names, doubts } = this.#rules
    return doubts.has(position) ? null : names.finalName(position)
  }
}
