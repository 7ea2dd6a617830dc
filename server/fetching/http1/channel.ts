import type { Http1Failure } from './failure.ts'

/** A connected socket, plain or TLS. */
export interface Channel {
  /** Writes as much as the socket takes now. @returns how many bytes, or less than 0 if it is closed */
  write(bytes: Uint8Array): number
  /** Stops reading, so that the server must wait. What has been read may still be reported. */
  pause(): void
  resume(): void
  /** Closes the socket at once, by a reset. */
  terminate(): void
  /** Sets how long the socket may be idle, in multiples of 4 seconds; it may be up to 4 seconds less. 0 for no bound. */
  timeout(seconds: number): void
}

/** What a socket reports, in this order: pieces, then perhaps an end, then the close. */
export interface ChannelListener {
  /** @param bytes in a buffer of their own */
  onData(bytes: Buffer): void
  /** The socket takes more bytes. */
  onDrain(): void
  /** The server sends nothing more. @param isTruncated for TLS, whether close_notify is missing */
  onEnd(isTruncated: boolean): void
  /** @param failure the same after an end as without one */
  onClose(failure: Http1Failure): void
  onIdleTimeout(): void
}
