import type { Socket, SocketHandler } from 'bun'
import { isDescriptorFree } from '../../files/descriptors.ts'
import type { ChannelListener } from './channel.ts'
import { codeOf, Http1Failure } from './failure.ts'

export type TcpSocket = Socket<TcpLink>

/** A TCP connection that is being made. */
export interface PendingConnect {
  /** Rejects with a `Http1Failure`. Must be closed by the caller, also after `abandon`. */
  readonly socket: Promise<TcpSocket>
  /** Nobody waits for it any more: it is closed when it is made. */
  abandon(): void
}

/**
 * Connects to an address. Bun can't abort that, so an abandoned connection keeps its descriptor until the system gives it up, on
 * Linux after 127 seconds. With 256 connections at a time, each given up after 10 seconds, that makes some 3,300 descriptors.
 */
export function connectTcp(hostname: string, port: number): PendingConnect {
  const link = new TcpLink()
  if (abandonedCount < MAX_ABANDONED) {
    // A failure is reported to `connectError`.
    Bun.connect<TcpLink>({ hostname, port, data: link, socket: HANDLERS }).catch(() => {})
  } else {
    link.notOpened(new Http1Failure('connect', 'EMFILE'))
  }
  return link
}

/** What belongs to a TCP socket. */
class TcpLink implements PendingConnect {
  /** Set by those who use the socket, in the turn in which it is connected. */
  listener: ChannelListener | null = null
  readonly #opened = Promise.withResolvers<TcpSocket>()
  readonly socket = this.#opened.promise
  #isPending = true
  #isAbandoned = false

  opened(socket: TcpSocket): void {
    this.#ended()
    if (this.#isAbandoned) socket.terminate()
    else this.#opened.resolve(socket)
  }

  notOpened(failure: Http1Failure): void {
    this.#ended()
    this.#opened.reject(failure)
  }

  abandon(): void {
    if (!this.#isPending || this.#isAbandoned) return
    this.#isAbandoned = true
    abandonedCount++
  }

  #ended(): void {
    this.#isPending = false
    if (this.#isAbandoned) abandonedCount--
  }
}

export type { TcpLink }

const HANDLERS: SocketHandler<TcpLink> = {
  open: (socket) => socket.data.opened(socket),
  connectError: (socket, error) => socket.data.notOpened(new Http1Failure('connect', connectCode(error))),
  data(socket, bytes) {
    // A server that speaks before anybody listens answers no request.
    if (socket.data.listener === null) socket.terminate()
    else socket.data.listener.onData(bytes)
  },
  drain: (socket) => socket.data.listener?.onDrain(),
  end: (socket) => socket.data.listener?.onEnd(false),
  close: (socket, error) => socket.data.listener?.onClose(closeFailure(error)),
  error: (socket, error) => socket.data.listener?.onClose(closeFailure(error)),
  timeout: (socket) => socket.data.listener?.onIdleTimeout(),
}

/** A close without an error follows a FIN. */
export function closeFailure(error: Error | undefined): Http1Failure {
  const code = codeOf(error)
  return new Http1Failure(code === '' ? 'closed-early' : 'reset', code)
}

/** Bun reports a lack of descriptors as ECONNREFUSED. */
function connectCode(error: Error): string {
  const code = codeOf(error)
  return code === 'ECONNREFUSED' && !isDescriptorFree() ? 'EMFILE' : code
}

let abandonedCount = 0
const MAX_ABANDONED = 4_096
