/**
 * Follows the records that a TLS connection receives (RFC 8446 section 5.1, RFC 5246 section 6.2), to tell whether its last one was
 * close_notify: Bun reports a bare FIN in the same way. TLS 1.2 shows the type of a record. TLS 1.3 hides it, but shows the length:
 * 19 bytes for an alert, of which 17 are the type and the tag. A record of 2 bytes of data has that length as well, but then these
 * bytes have come out of it.
 */
export class TlsRecords {
  #headerBytes = 0
  #type = 0
  #recordBytes = 0
  /** Of the current record, in bytes. */
  #leftBytes = 0
  /** The contents of the records that ended in the last ciphertext, in bytes. */
  #contents: number[] = []
  /** What came out of them, in bytes. */
  #dataBytes = 0
  #firstByte: number | null = null

  /** Whether what has arrived is no TLS. */
  get isForeign(): boolean {
    return this.#firstByte !== null && !isRecordType(this.#firstByte)
  }

  /** Ciphertext has arrived, and is decrypted next. */
  received(bytes: Uint8Array): void {
    this.#contents.length = 0
    this.#dataBytes = 0
    this.#firstByte ??= bytes[0] ?? null
    for (let at = 0; at < bytes.length; ) {
      if (this.#leftBytes === 0) {
        this.#addHeaderByte(bytes[at++] ?? 0)
        continue
      }
      const used = Math.min(this.#leftBytes, bytes.length - at)
      this.#leftBytes -= used
      at += used
      if (this.#leftBytes === 0) this.#contents.push(this.#recordBytes - HIDING_BYTES)
    }
  }

  /** Data has come out of the last ciphertext. */
  decrypted(sizeBytes: number): void {
    this.#dataBytes += sizeBytes
  }

  /** To be asked when the connection has ended. */
  endedWithCloseNotify(): boolean {
    if (this.#leftBytes > 0 || this.#headerBytes > 0) return false
    if (this.#type === ALERT) return true
    if (this.#type !== APPLICATION_DATA || this.#contents.at(-1) !== ALERT_BYTES) return false
    // What is neither data nor the alert: session tickets, which come first and are longer than an alert.
    const sumBytes = this.#contents.reduce((sum, sizeBytes) => sum + sizeBytes, 0)
    let ticketBytes = sumBytes - this.#dataBytes - ALERT_BYTES
    for (const sizeBytes of this.#contents) {
      if (ticketBytes <= 0 || sizeBytes <= ALERT_BYTES) break
      ticketBytes -= sizeBytes
    }
    return ticketBytes === 0
  }

  #addHeaderByte(byte: number): void {
    if (this.#headerBytes === 0) this.#type = byte
    else this.#recordBytes = ((this.#recordBytes << 8) | byte) & 0xffff
    this.#headerBytes++
    if (this.#headerBytes < HEADER_BYTES) return
    this.#headerBytes = 0
    this.#leftBytes = this.#recordBytes
  }
}

function isRecordType(byte: number): boolean {
  return byte >= CHANGE_CIPHER_SPEC && byte <= APPLICATION_DATA
}

const HEADER_BYTES = 5
const CHANGE_CIPHER_SPEC = 20
const ALERT = 21
const APPLICATION_DATA = 23
const ALERT_BYTES = 2
/** The type of the content, and the tag of every AEAD cipher of TLS 1.3 that Bun offers. */
const HIDING_BYTES = 17
