/**
 * A TCP connection to a service, for what fetch does not allow: any bytes, at any time, on any number of connections.
 */
export interface Connection extends Disposable {
  /** The received pieces, in order. */
  readonly arrivals: readonly { readonly text: string; readonly atMs: number }[]
  /** Resolves when the operating system has accepted all bytes. */
  send(bytes: string | Uint8Array): Promise<void>
  /** Everything received, once it matches. Rejects if the service closes the connection first. */
  until(pattern: RegExp): Promise<string>
  /** Everything received until the service closes the connection, or until the deadline. */
  untilClosed(deadlineMs: number): Promise<string>
  /** Resolves when this many bytes have been received. Rejects if the service closes the connection first. */
  received(sizeBytes: number): Promise<void>
  /** Stops reading until `resume`. */
  pause(): void
  resume(): void
  readonly isClosed: boolean
}

export async function connectTo(origin: string): Promise<Connection> {
  const { hostname, port } = new URL(origin)
  const arrivals: { text: string; atMs: number }[] = []
  let changed = Promise.withResolvers<void>()
  let receivedBytes = 0
  let isClosed = false
  const notify = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const close = () => {
    isClosed = true
    notify()
  }
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_socket, bytes) {
        receivedBytes += bytes.length
        arrivals.push({ text: bytes.toString(), atMs: performance.now() })
        notify()
      },
      drain: notify,
      close,
      error: close,
    },
  })
  return {
    arrivals,
    get isClosed() {
      return isClosed
    },
    async send(bytes) {
      let rest = Buffer.from(bytes)
      for (;;) {
        rest = rest.subarray(socket.write(rest))
        if (rest.length === 0) return
        if (isClosed) throw new Error('The service closed the connection.')
        await changed.promise
      }
    },
    async until(pattern) {
      for (;;) {
        const text = arrivals.map((arrival) => arrival.text).join('')
        if (pattern.test(text)) return text
        if (isClosed) throw new Error(`The connection was closed before ${pattern}: ${text}`)
        await changed.promise
      }
    },
    async untilClosed(deadlineMs) {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        notify()
      }, deadlineMs)
      while (!isClosed && !isLate) await changed.promise
      clearTimeout(timer)
      return arrivals.map((arrival) => arrival.text).join('')
    },
    async received(sizeBytes) {
      while (receivedBytes < sizeBytes) {
        if (isClosed) throw new Error(`The connection was closed after ${receivedBytes} bytes.`)
        await changed.promise
      }
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    [Symbol.dispose]: () => socket.end(),
  }
}
