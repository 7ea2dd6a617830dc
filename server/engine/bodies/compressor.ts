import { type CompressedBody, compressBody } from '../../archive/compress.ts'

/** Connects a job to the helpers of the process: one port per helper, none on a machine with one processor. */
export type ConnectHelpers = () => Promise<readonly MessagePort[]>

/**
 * Compresses the bodies of one job: long texts in helper threads, and everything else in the thread of the job. While all
 * helpers are busy, the thread of the job compresses texts itself, so that every processor works.
 */
export class Compressor implements Disposable {
  readonly #connect: ConnectHelpers
  readonly #signal: AbortSignal
  /** Null before the first long text. */
  #helpers: readonly Helper[] | null = null
  #isDisposed = false

  /** @param signal aborted when the job ends. A text in a helper that has crashed would never come back */
  constructor(connect: ConnectHelpers, signal: AbortSignal) {
    this.#connect = connect
    this.#signal = signal
  }

  /**
   * Like `compressBody`, and with the same result, whichever thread compresses.
   * @param bytes not usable afterwards
   */
  compress(bytes: Uint8Array<ArrayBuffer>, isTextLike: boolean): Promise<CompressedBody> {
    const helper = isTextLike && bytes.length >= LONG_TEXT_BYTES ? this.#idleHelper() : undefined
    return helper?.compress(bytes) ?? Promise.resolve(compressBody(bytes, isTextLike))
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    for (const helper of this.#helpers ?? []) helper[Symbol.dispose]()
  }

  #idleHelper(): Helper | undefined {
    if (this.#helpers === null) void this.#connectHelpers()
    return this.#helpers?.find(({ waitingBytes }) => waitingBytes <= MAX_WAITING_BYTES)
  }

  async #connectHelpers(): Promise<void> {
    this.#helpers = []
    this.#helpers = (await this.#connect()).map((port) => new Helper(port, this.#signal))
    if (this.#isDisposed) this[Symbol.dispose]()
  }
}

/** What the thread of a job knows of one helper thread. */
class Helper implements Disposable {
  readonly #port: MessagePort
  /** The helper answers in order. */
  readonly #waiting: (PromiseWithResolvers<CompressedBody> & { readonly sizeBytes: number })[] = []
  #waitingBytes = 0

  constructor(port: MessagePort, signal: AbortSignal) {
    this.#port = port
    const onEnd = () => {
      for (const { reject } of this.#waiting) reject(signal.reason)
    }
    signal.addEventListener('abort', onEnd, { once: true })
    port.onmessage = ({ data }: { readonly data: CompressedBody }) => {
      const first = this.#waiting.shift()
      if (first === undefined) return
      this.#waitingBytes -= first.sizeBytes
      first.resolve(data)
    }
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  compress(bytes: Uint8Array<ArrayBuffer>): Promise<CompressedBody> {
    const compressed = Promise.withResolvers<CompressedBody>()
    const sizeBytes = bytes.length
    this.#waiting.push({ sizeBytes, ...compressed })
    this.#waitingBytes += sizeBytes
    // The buffer of a view is shared, so a view is copied.
    const whole = bytes.buffer.byteLength === sizeBytes ? bytes : bytes.slice()
    this.#port.postMessage(whole, [whole.buffer])
    return compressed.promise
  }

  [Symbol.dispose](): void {
    this.#port.close()
  }
}

/** Runs in a helper thread: compresses the texts that arrive at a port, in order, and sends them back. */
export function compressFor(port: MessagePort): void {
  port.onmessage = ({ data }: { readonly data: Uint8Array<ArrayBuffer> }) => {
    const body = compressBody(data, true)
    port.postMessage(body, [body.content.buffer])
  }
}

/** To compress this much takes 0.2 ms; to send it there and back takes 0.05 ms. */
const LONG_TEXT_BYTES = 16 * 1024

/** A helper that has more than this to do, some 10 ms of work, gets no further text. */
const MAX_WAITING_BYTES = 1024 * 1024
