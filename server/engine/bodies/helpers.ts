import type { CompressedBody } from '../../archive/compress.ts'

/** Connects a job to the helpers of the process: one port per helper, none on a machine with one processor. */
export type ConnectHelpers = () => Promise<readonly MessagePort[]>

/** To a helper: a text to compress, or bytes of a file to hash. It answers in order. */
export type ToHelper = Uint8Array<ArrayBuffer> | HashStep
export type FromHelper = CompressedBody | HashedStep

/** The next bytes of a body in a file. The digest goes on where the last step with its id has ended. */
export interface HashStep {
  readonly digestId: number
  readonly path: string
  readonly offset: number
  readonly lengthBytes: number
  readonly end: 'goes on' | 'is whole' | 'is given up'
}

export interface HashedStep {
  /** In lower-case hexadecimal digits, if the body is whole and could be read. */
  readonly sha256: string | null
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
  readonly #waiting: (PromiseWithResolvers<FromHelper> & { readonly sizeBytes: number })[] = []
  #waitingBytes = 0
  #lastDigestId = 0

  constructor(port: MessagePort, signal: AbortSignal) {
    this.#port = port
    this.#signal = signal
    signal.addEventListener('abort', this.#onEnd, { once: true })
    port.onmessage = ({ data }: { readonly data: FromHelper }) => {
      const first = this.#waiting.shift()
      if (first === undefined) return
      this.#waitingBytes -= first.sizeBytes
      first.resolve(data)
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
    const answer = await this.#ask(whole, sizeBytes, [whole.buffer])
    if (!('content' in answer)) throw new TypeError('a helper has answered something else')
    return answer
  }

  newDigest(): number {
    return ++this.#lastDigestId
  }

  async hash(step: HashStep): Promise<string | null> {
    const answer = await this.#ask(step, step.lengthBytes, [])
    if (!('sha256' in answer)) throw new TypeError('a helper has answered something else')
    return answer.sha256
  }

  [Symbol.dispose](): void {
    this.#port.close()
    // As with `LeaseQueue`.
    this.#signal.removeEventListener('abort', this.#onEnd)
  }

  readonly #onEnd = () => {
    for (const { reject } of this.#waiting) reject(this.#signal.reason)
  }

  #ask(message: ToHelper, sizeBytes: number, transferred: ArrayBuffer[]): Promise<FromHelper> {
    const answer = Promise.withResolvers<FromHelper>()
    this.#waiting.push({ sizeBytes, ...answer })
    this.#waitingBytes += sizeBytes
    this.#port.postMessage(message, transferred)
    return answer.promise
  }
}
