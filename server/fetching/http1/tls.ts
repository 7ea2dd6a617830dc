import type { Socket, SocketHandler } from 'bun'
import { VERIFIED_TLS } from '../verified-tls.ts'
import type { Channel, ChannelListener } from './channel.ts'
import { closeFailure, type TcpSocket } from './connect.ts'
import { codeOf, Http1Failure } from './failure.ts'
import { TlsRecords } from './tls-records.ts'

/** How to make a TLS connection. */
export interface TlsSettings {
  /** The name that the certificate must have; an address if the URL has one. */
  readonly serverName: string
  /** All certificates to trust; undefined for those that are built in. */
  readonly ca: string[] | undefined
  /** Of an earlier connection to the same origin: saves a round trip (TLS 1.2) and most of the processor time. */
  readonly session: Uint8Array | null
  /** Called when the server has sent a session to resume. */
  readonly onSession: (session: Uint8Array) => void
}

/** A TLS connection whose certificate was verified. */
export interface TlsChannel {
  readonly channel: Channel
  /** Set by those who use the channel, in the turn in which they get it. */
  readonly link: { listener: ChannelListener | null }
}

/**
 * Makes TLS on top of a connected socket, since only that shows the records, which tell a close_notify from a bare FIN.
 * @throws Http1Failure `tls`; or the reason of the signal
 */
export function upgradeToTls(
  socket: TcpSocket,
  settings: TlsSettings,
  signal: AbortSignal,
): Promise<TlsChannel> {
  const link = new TlsLink(settings, signal)
  socket.data.listener = new RecordListener(link.records)
  const { serverName, ca } = settings
  const tls = { ...VERIFIED_TLS, serverName, ...(ca === undefined ? {} : { ca }) }
  socket.upgradeTLS<TlsLink>({ tls, data: link, socket: HANDLERS })
  return link.verified.promise
}

type TlsSocket = Socket<TlsLink>

/** What belongs to a TLS socket. */
class TlsLink {
  readonly records = new TlsRecords()
  readonly verified = Promise.withResolvers<TlsChannel>()
  listener: ChannelListener | null = null
  readonly #settings: TlsSettings
  readonly #signal: AbortSignal
  #socket: TlsSocket | null = null
  #isVerified = false
  #hasSession = false

  constructor(settings: TlsSettings, signal: AbortSignal) {
    this.#settings = settings
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  opened(socket: TlsSocket): void {
    this.#socket = socket
    const { session } = this.#settings
    if (session !== null) socket.setSession(session)
  }

  shookHands(socket: TlsSocket, isSuccess: boolean, error: Error | null): void {
    this.#socket = socket
    if (!isSuccess || error !== null || !socket.authorized) {
      this.closed(handshakeFailure(error))
      return
    }
    this.#isVerified = true
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.verified.resolve({ channel: socket, link: this })
  }

  received(socket: TlsSocket, bytes: Buffer): void {
    this.records.decrypted(bytes.length)
    if (!this.#hasSession) this.#keepSession(socket)
    // A server that speaks before anybody listens answers no request.
    if (this.listener === null) socket.terminate()
    else this.listener.onData(bytes)
  }

  /** In TLS 1.3, the server sends it after the handshake. */
  #keepSession(socket: TlsSocket): void {
    this.#hasSession = true
    const session: unknown = socket.getSession()
    if (session instanceof Uint8Array) this.#settings.onSession(session)
  }

  /** The connection can't be used, or not any more. */
  closed(failure: unknown): void {
    if (this.#isVerified) return
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.verified.reject(failure)
    this.#socket?.terminate()
  }

  readonly #onAbort = () => this.closed(this.#signal.reason)
}

const HANDLERS: SocketHandler<TlsLink> = {
  open: (socket) => socket.data.opened(socket),
  handshake: (socket, isSuccess, error) => socket.data.shookHands(socket, isSuccess, error),
  data: (socket, bytes) => socket.data.received(socket, bytes),
  drain: (socket) => socket.data.listener?.onDrain(),
  end({ data: link }) {
    link.listener?.onEnd(!link.records.endedWithCloseNotify())
    link.closed(new Http1Failure('closed-early'))
  },
  close: (socket, error) => closedBy(socket, error),
  error: (socket, error) => closedBy(socket, error),
  timeout: (socket) => socket.data.listener?.onIdleTimeout(),
}

function closedBy({ data: link }: TlsSocket, error: Error | undefined): void {
  // With TLS 1.3, a server may refuse the client after the handshake.
  const failure = codeOf(error) === 'EPROTO' ? new Http1Failure('tls', 'EPROTO') : closeFailure(error)
  link.listener?.onClose(failure)
  link.closed(failure)
}

/** Bun reports a FIN in the handshake as a reset. */
function handshakeFailure(error: Error | null): Http1Failure {
  const code = codeOf(error)
  return code === 'ECONNRESET' ? new Http1Failure('closed-early') : new Http1Failure('tls', code)
}

/** Hears the ciphertext, before it is decrypted. The TLS socket reports all the rest. */
class RecordListener implements ChannelListener {
  readonly #records: TlsRecords

  constructor(records: TlsRecords) {
    this.#records = records
  }

  onData(bytes: Uint8Array): void {
    this.#records.received(bytes)
  }

  onDrain(): void {}
  onEnd(): void {}
  onClose(): void {}
  onIdleTimeout(): void {}
}
