import { AbortTimer } from './abort-timer.ts'

/**
 * A finished archive that is read by a link to the archive store, for a job that copies entries from it. Reads windows of it and
 * keeps the last few, since most entries are copied in the order in which they are stored. Knows no credentials.
 */
export class LinkedArchive implements Disposable {
  readonly #link: string
  readonly #closing = new AbortController()
  /** By number, the one that was used last at the end. */
  readonly #windows = new Map<number, Promise<Uint8Array>>()
  #isUnreadable = false

  constructor(link: string) {
    this.#link = link
  }

  /** Its reads don't block this thread. */
  async giveWay(): Promise<void> {}

  /** A range. Fewer bytes at the end of the archive; none when the store does not send them. */
  async read(position: number, lengthBytes: number): Promise<Uint8Array> {
    const first = await this.at(position, lengthBytes)
    if (first.length === lengthBytes || first.length === 0) return first
    const bytes = new Uint8Array(lengthBytes)
    let doneBytes = 0
    for (let piece = first; piece.length > 0; ) {
      bytes.set(piece, doneBytes)
      doneBytes += piece.length
      piece = await this.at(position + doneBytes, lengthBytes - doneBytes)
    }
    return bytes.subarray(0, doneBytes)
  }

  /** The bytes from `position` on that are in one window, at most `maxBytes`. */
  async at(position: number, maxBytes: number): Promise<Uint8Array> {
    const number = Math.floor(position / WINDOW_BYTES)
    const window = await this.#window(number)
    const start = position - number * WINDOW_BYTES
    return window.subarray(start, start + maxBytes)
  }

  [Symbol.dispose](): void {
    this.#closing.abort()
  }

  #window(number: number): Promise<Uint8Array> {
    const window = this.#windows.get(number) ?? this.#readWindow(number * WINDOW_BYTES)
    this.#windows.delete(number)
    this.#windows.set(number, window)
    const [oldest = number] = this.#windows.keys()
    if (this.#windows.size > KEPT_WINDOWS) this.#windows.delete(oldest)
    return window
  }

  /** After the first failure, nothing more is read: the job fetches its sources instead of waiting for the store. */
  async #readWindow(start: number): Promise<Uint8Array> {
    for (let tries = 1; !this.#isUnreadable; tries++) {
      using timer = new AbortTimer(this.#closing.signal)
      timer.restart(TIMEOUT_MS)
      try {
        const response = await fetch(this.#link, {
          headers: { range: `bytes=${start}-${start + WINDOW_BYTES - 1}`, 'accept-encoding': 'identity' },
          redirect: 'manual',
          decompress: false,
          proxy: false,
          signal: timer.signal,
        })
        if (response.status === 206) return await response.bytes()
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

/** Most entries are smaller, so one request reads many of them. */
const WINDOW_BYTES = 4 * 1024 * 1024
/** 16 MiB per job. */
const KEPT_WINDOWS = 4
/** A window over a connection of 140 KB per second takes as long. */
const TIMEOUT_MS = 30_000
/** Few, since the sources have the same bytes. */
const MAX_TRIES = 3
const RETRY_DELAY_MS = 500
