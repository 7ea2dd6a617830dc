import type { ArchiveReader } from '../archive/reading/reader.ts'
import { AbortTimer } from './abort-timer.ts'
import { type RequestRange, readObject } from './read-object.ts'
import { sendToStore } from './store-request.ts'

/**
 * A finished archive that is read by a link to the archive store, for a job that copies entries from it. Knows no credentials. Sends
 * one request for each range, so it is to be read in windows.
 */
export class LinkedArchive implements ArchiveReader {
  readonly #request: RequestRange
  readonly #stop: AbortSignal
  #isUnreadable = false

  /** @param stop aborted when the job ends: it must not wait for a store that does not respond */
  constructor(link: string, stop: AbortSignal) {
    this.#stop = stop
    this.#request = (range, signal) => sendToStore(link, { headers: { range } }, signal)
  }

  /** After the first failure, nothing more is read: the job fetches its sources instead of waiting for the store. */
  async *pieces(offset: number, lengthBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    if (this.#isUnreadable) return
    using timer = new AbortTimer(this.#stop)
    timer.restart(TIMEOUT_MS)
    try {
      yield* readObject(this.#request, offset, lengthBytes, timer.signal)
    } catch {
      this.#isUnreadable = true
    }
  }
}

/** Most entries are smaller, so one request reads many of them. A job keeps a few windows: 16 MiB. */
export const LINKED_WINDOW_BYTES = 4 * 1024 * 1024
/** Enough for a window over a connection of 70 KB per second, since the sources have the same bytes. */
const TIMEOUT_MS = 60_000
