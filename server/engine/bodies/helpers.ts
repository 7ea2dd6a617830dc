import type { CompressedBody } from '../../archive/compress.ts'
import { Requests } from '../requests.ts'

/** Connects a job to the helpers of the process: one port per helper, none on a machine with one processor. */
export type ConnectHelpers = () => Promise<readonly MessagePort[]>

/** To a helper: a text to compress, or bytes of a file to hash. It works on them in order: the steps of a digest follow each other. */
export type ToHelper =
  | { readonly type: 'compress'; readonly requestId: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'hash'; readonly requestId: number; readonly step: HashStep }

/** An answer of a helper, with the id of its request: the bytes of one body must never become the entry of another. */
export type FromHelper =
  | { readonly type: 'compressed'; readonly requestId: number; readonly body: CompressedBody }
  | { readonly type: 'hashed'; readonly requestId: number; readonly sha256: string | null }

/** The next bytes of a body in a file. The digest goes on where the last step with its id has ended. */
export interface HashStep {
  readonly digestId: number
  readonly path: string
  readonly offset: number
  readonly lengthBytes: number
  readonly end: 'goes on' | 'is whole' | 'is given up'
}

/** What the thread of a job knows of the helper threads. They are connected when the first one is asked for. */
export class Helpers implements Disposable {
  readonly #connect: ConnectHelpers
  readonly #signal: AbortSignal
  /** Null before the first use. */
  #helpers: readonly Helper[] | null = null
  #isConnecting = false
  #isDisposed = false

  /** @param signal aborted when the job ends. What was sent to a helper that has crashed would never come back */
  constructor(connect: ConnectHelpers, signal: AbortSignal) {
    this.#connect = connect
    this.#signal = signal
  }

  /** A helper with at most this many bytes to work on; undefined while there is none. */
  idle(maxWaitingBytes: number): Helper | undefined {
    if (this.#helpers === null) void this.#connectAll()
    const idlest = this.#helpers?.reduce<Helper | undefined>(
      (least, one) => (least === undefined || one.waitingBytes < least.waitingBytes ? one : least),
      undefined,
    )
    return idlest !== undefined && idlest.waitingBytes <= maxWaitingBytes ? idlest : undefined
  }

  /** Whether there will soon be such a helper. */
  mayBeIdle(maxWaitingBytes: number): boolean {
    return this.idle(maxWaitingBytes) !== undefined || this.#isConnecting
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    for (const helper of this.#helpers ?? []) helper[Symbol.dispose]()
  }

  async #connectAll(): Promise<void> {
    this.#helpers = []
    this.#isConnecting = true
    this.#helpers = (await this.#connect()).map((port) => new Helper(port, this.#signal))
    this.#isConnecting = false
    if (this.#isDisposed) this[Symbol.dispose]()
  }
}

/** What the thread of a job knows of one helper thread. */
export class Helper implements Disposable {
  readonly #port: MessagePort
  readonly #signal: AbortSignal
  readonly #texts = new Requests<CompressedBody>()
  readonly #steps = new Requests<string | null>()
  #waitingBytes = 0
  #lastDigestId = 0

  constructor(port: MessagePort, signal: AbortSignal) {
    this.#port = port
    this.#signal = signal
    signal.addEventListener('abort', this.#onEnd, { once: true })
    port.onmessage = ({ data }: { readonly data: FromHelper }) => {
      if (data.type === 'compressed') this.#texts.take(data.requestId)?.resolve(data.body)
      else this.#steps.take(data.requestId)?.resolve(data.sha256)
    }
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** @param bytes not usable afterwards */
  async compress(bytes: Uint8Array<ArrayBuffer>): Promise<CompressedBody> {
    const sizeBytes = bytes.length
    // The buffer of a view is shared, so a view is copied.
    const whole = bytes.buffer.byteLength === sizeBytes ? bytes : bytes.slice()
    return await this.#counted(
      sizeBytes,
      this.#texts.send((requestId) =>
        this.#post({ type: 'compress', requestId, bytes: whole }, [whole.buffer]),
      ),
    )
  }

  newDigest(): number {
    return ++this.#lastDigestId
  }

  /** @returns in lower-case hexadecimal digits, if the body is whole and could be read */
  async hash(step: HashStep): Promise<string | null> {
    return await this.#counted(
      step.lengthBytes,
      this.#steps.send((requestId) => this.#post({ type: 'hash', requestId, step })),
    )
  }

  [Symbol.dispose](): void {
    this.#port.close()
    // As with `LeaseQueue`.
    this.#signal.removeEventListener('abort', this.#onEnd)
  }

  readonly #onEnd = () => {
    this.#texts.rejectAll(this.#signal.reason)
    this.#steps.rejectAll(this.#signal.reason)
  }

  #post(message: ToHelper, transferred: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transferred)
  }

  async #counted<Answer>(sizeBytes: number, answer: Promise<Answer>): Promise<Answer> {
    this.#waitingBytes += sizeBytes
    try {
      return await answer
    } finally {
      this.#waitingBytes -= sizeBytes
    }
  }
}
