import { MAX_UNFINISHED_FRACTION } from '../vocabulary.ts'
import type { CheckpointEntry } from './checkpoint/checkpoint.ts'
import type { EntryProgress } from './job-order.ts'

/**
 * How much of a job is done, by bytes: those that have arrived, of those that are expected. A file whose size is not known yet
 * counts as the usual one of those that are known. Each file counts for its request, too, so that failed and empty ones count.
 */
export class DoneFraction {
  readonly #urlCount: number
  readonly #fetching = new Map<number, Arriving>()
  /** By position: the bytes of each stored file, and 0 of a failed one. */
  readonly #settled = new Map<number, number>()
  #settledBytes = 0
  /** Of the files whose size is known: how many, and the sum of the logarithms of their sizes. */
  #knownCount = 0
  #knownLogs = 0

  /** @param entries what earlier runs have stored, received a part of, or failed to fetch */
  constructor(urlCount: number, entries: readonly CheckpointEntry[]) {
    this.#urlCount = urlCount
    for (const entry of entries) this.#begin(entry)
  }

  update({ position, status, sizeBytes, expectedBytes }: EntryProgress): void {
    this.#forget(position)
    if (status === 'stored') this.#settle(position, sizeBytes)
    if (status === 'failed') this.#settle(position, null)
    if (status === 'fetching') this.#arrive(position, { receivedBytes: sizeBytes, expectedBytes })
  }

  /** From 0 to `MAX_UNFINISHED_FRACTION`. */
  get value(): number {
    const usualBytes = this.#knownCount === 0 ? 0 : Math.exp(this.#knownLogs / this.#knownCount)
    const waiting = this.#urlCount - this.#settled.size - this.#fetching.size
    let done = this.#settledBytes + this.#settled.size * REQUEST_BYTES
    let total = this.#settledBytes + this.#urlCount * REQUEST_BYTES + waiting * usualBytes
    for (const { receivedBytes, expectedBytes } of this.#fetching.values()) {
      done += receivedBytes
      // As much as has arrived is expected again: a body of unknown length is never nearly done.
      total += expectedBytes ?? Math.max(usualBytes, 2 * receivedBytes)
    }
    return Math.min(done / total, MAX_UNFINISHED_FRACTION)
  }

  #begin(entry: CheckpointEntry): void {
    if (entry.status === 'partial') {
      const receivedBytes = entry.stretches.reduce((sum, { start, end }) => sum + end - start, 0)
      this.#arrive(entry.position, { receivedBytes, expectedBytes: entry.compressedBytes })
    } else {
      this.#settle(entry.position, entry.status === 'stored' ? entry.sizeBytes : null)
    }
  }

  #settle(position: number, sizeBytes: number | null): void {
    this.#settled.set(position, sizeBytes ?? 0)
    this.#settledBytes += sizeBytes ?? 0
    if (sizeBytes !== null) this.#know(sizeBytes, 1)
  }

  #arrive(position: number, arriving: Arriving): void {
    this.#fetching.set(position, arriving)
    if (arriving.expectedBytes !== null) this.#know(arriving.expectedBytes, 1)
  }

  #forget(position: number): void {
    const settledBytes = this.#settled.get(position)
    if (settledBytes !== undefined) {
      this.#settled.delete(position)
      this.#settledBytes -= settledBytes
      if (settledBytes > 0) this.#know(settledBytes, -1)
    }
    const expectedBytes = this.#fetching.get(position)?.expectedBytes ?? null
    this.#fetching.delete(position)
    if (expectedBytes !== null) this.#know(expectedBytes, -1)
  }

  /** The geometric mean of the sizes is the usual one: a single film does not make every other file one. */
  #know(sizeBytes: number, factor: 1 | -1): void {
    if (sizeBytes === 0) return
    this.#knownCount += factor
    this.#knownLogs += factor * Math.log(sizeBytes)
  }
}

/** A file that is being fetched. */
interface Arriving {
  readonly receivedBytes: number
  readonly expectedBytes: number | null
}

/** On a usual line, so many bytes arrive in about the time of a request. */
const REQUEST_BYTES = 64 * 1024
