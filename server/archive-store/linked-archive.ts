import type { ArchiveReader } from '../archive/reading/reader.ts'
import { VERIFIED_TLS } from '../fetching/verified-tls.ts'
import { AbortTimer } from './abort-timer.ts'

/**
 * A finished archive that is read by a link to the archive store, for a job that copies entries from it. Knows no credentials. Sends
 * one request for each range, so it is to be read in windows.
 */
export class LinkedArchive implements ArchiveReader, Disposable {
  readonly #link: string
  readonly #closing = new AbortController()
  #isUnreadable = false

  constructor(link: string) {
    this.#link = link
  }

  /** As one piece; none when the store does not send it. */
  async *pieces(offset: number, lengthBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const bytes = await this.#read(offset, lengthBytes)
    if (bytes.length > 0) yield bytes
  }

  [Symbol.dispose](): void {
    this.#closing.abort()
  }

  /** After the first failure, nothing more is read: the job fetches its sources instead of waiting for the store. */
  async #read(offset: number, lengthBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    for (let tries = 1; !this.#isUnreadable; tries++) {
      using timer = new AbortTimer(this.#closing.signal)
      timer.restart(TIMEOUT_MS)
      try {
        const response = await fetch(this.#link, {
          headers: { range: `bytes=${offset}-${offset + lengthBytes - 1}`, 'accept-encoding': 'identity' },
          redirect: 'manual',
          decompress: false,
          proxy: false,
          tls: VERIFIED_TLS,
          signal: timer.signal,
        })
        if (response.status === 206) return new Uint8Array(await response.arrayBuffer())
        await response.body?.cancel()
      } catch {
        if (this.#closing.signal.aborted) break
      }
      if (tries === MAX_TRIES) this.#isUnreadable = true
      else await Bun.sleep(RETRY_DELAY_MS * tries)
    }
    return new Uint8Array(0)
  }
}

/** Most entries are smaller, so one request reads many of them. A job keeps a few windows: 16 MiB. */
export const LINKED_WINDOW_BYTES = 4 * 1024 * 1024
/** Enough for a window over a connection of 140 KB per second. */
const TIMEOUT_MS = 30_000
/** Few, since the sources have the same bytes. */
const MAX_TRIES = 3
const RETRY_DELAY_MS = 500
