import { isIP } from 'node:net'
import { Duplex } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import { VERIFIED_TLS } from '../verified-tls.ts'
import type { Channel, ChannelListener, ConnectedChannel } from './channel.ts'
import { codeOf, Http1Failure } from './failure.ts'
import { handshakeFailure, type TlsSettings } from './tls.ts'
import { TlsRecords } from './tls-records.ts'

/**
 * Makes TLS on top of a channel that uses TLS itself, as through a proxy that does: Bun's own sockets can't, but `node:tls` makes it on
 * top of any stream, for twice the processor time per byte (server/decisions/proxies.md).
 * @throws Http1Failure `tls`; or the reason of the signal. Then the channel is closed
 */
export async function makeTlsInTls(
  outer: ConnectedChannel,
  { serverName, ca, session, onSession }: TlsSettings,
  signal: AbortSignal,
): Promise<ConnectedChannel> {
  const records = new TlsRecords()
  const stream = streamOver(outer, records)
  const socket = connect({
    socket: stream,
    ...VERIFIED_TLS,
    // RFC 6066 section 3: an address is not sent, but the certificate must be for it.
    ...(isIP(serverName) === 0 ? { servername: serverName } : { host: serverName }),
    ...(ca === undefined ? {} : { ca }),
    ...(session === null ? {} : { session: Buffer.from(session) }),
  })
  // Not all ends of a stream reach what is on top of it.
  stream.on('close', () => socket.destroy())
  const inner = new InnerTls(socket, outer.channel, records)
  const onAbort = () => inner.shookHands.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  socket.on('session', onSession)
  try {
    signal.throwIfAborted()
    await inner.shookHands.promise
    return { channel: inner, link: inner }
  } catch (error) {
    inner.terminate()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

class InnerTls implements Channel {
  readonly shookHands = Promise.withResolvers<void>()
  listener: ChannelListener | null = null
  readonly #socket: TLSSocket
  readonly #outer: Channel

  constructor(socket: TLSSocket, outer: Channel, records: TlsRecords) {
    this.#socket = socket
    this.#outer = outer
    socket.on('secureConnect', () => this.shookHands.resolve())
    socket.on('data', (bytes: Buffer) => {
      records.decrypted(bytes.length)
      // Node may have several pieces in one buffer, but whoever gets a piece may give its buffer away.
      this.listener?.onData(Buffer.from(new Uint8Array(bytes).buffer))
    })
    socket.on('end', () => this.listener?.onEnd(!records.endedWithCloseNotify()))
    socket.on('error', (error) => this.#ended(handshakeFailure(error, records), codeOf(error)))
    socket.on('close', () => this.#ended(new Http1Failure('closed-early'), ''))
  }

  write(bytes: Uint8Array): number {
    if (this.#socket.destroyed) return -1
    // The stream keeps what it can't send yet. A request is small.
    this.#socket.write(bytes)
    return bytes.length
  }

  pause(): void {
    this.#socket.pause()
    this.#outer.pause()
  }

  resume(): void {
    this.#outer.resume()
    this.#socket.resume()
  }

  terminate(): void {
    this.#socket.destroy()
    this.#outer.terminate()
  }

  timeout(seconds: number): void {
    this.#outer.timeout(seconds)
  }

  #ended(inHandshake: Http1Failure, code: string): void {
    this.shookHands.reject(inHandshake)
    this.listener?.onClose(new Http1Failure(code === '' ? 'closed-early' : 'reset', code))
  }
}

/** A stream of the ciphertext, for `node:tls`. */
function streamOver({ channel, link }: ConnectedChannel, records: TlsRecords): Duplex {
  let unsent: Uint8Array = new Uint8Array(0)
  let sent: (() => void) | null = null
  const flush = () => {
    const writtenBytes = channel.write(unsent)
    unsent = unsent.subarray(Math.max(0, writtenBytes))
    if (unsent.length > 0 && writtenBytes >= 0) return
    sent?.()
    sent = null
  }
  const stream = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      unsent = bytes
      sent = done
      flush()
    },
  })
  link.listener = {
    onData(bytes) {
      records.received(bytes)
      stream.push(bytes)
    },
    onDrain: flush,
    onEnd: () => void stream.push(null),
    onClose: () => void stream.destroy(),
    onIdleTimeout: () => void stream.destroy(),
  }
  return stream
}
