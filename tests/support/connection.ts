/** One connection to a service, byte by byte: what fetch hides, pools or gives up is seen here. */
export interface Connection extends Disposable {
  /** What came, in the pieces in which it came. */
  readonly arrivals: readonly { readonly text: string; readonly atMs: number }[]
  /** Resolves when all has gone to the system. */
  send(bytes: string | Uint8Array): Promise<void>
  /** Everything so far, once it matches; rejects when the service closes the connection before. */
  until(pattern: RegExp): Promise<string>
  /** Everything, once the service has closed the connection, or what has come after `deadlineMs`. */
  whole(deadlineMs: number): Promise<string>
  /** Resolves when so many bytes have come; rejects when the service closes the connection before. */
  received(sizeBytes: number): Promise<void>
  /** Takes nothing more from the service until it resumes. */
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
  const tell = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const close = () => {
    isClosed = true
    tell()
  }
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_socket, bytes) {
        receivedBytes += bytes.length
        arrivals.push({ text: bytes.toString(), atMs: performance.now() })
        tell()
      },
      drain: tell,
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
    async whole(deadlineMs) {
      let isOver = false
      const timer = setTimeout(() => {
        isOver = true
        tell()
      }, deadlineMs)
      while (!isClosed && !isOver) await changed.promise
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
