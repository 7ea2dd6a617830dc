/** Writes the little-endian fields of one record of known length, one after the other (APPNOTE 4.4.1.1). */
export class RecordWriter {
  readonly #bytes: Buffer<ArrayBuffer>
  #at = 0

  constructor(lengthBytes: number) {
    this.#bytes = Buffer.alloc(lengthBytes)
  }

  get remainingBytes(): number {
    return this.#bytes.length - this.#at
  }

  uint8(value: number): void {
    this.#at = this.#bytes.writeUInt8(value, this.#at)
  }

  uint16(value: number): void {
    this.#at = this.#bytes.writeUInt16LE(value, this.#at)
  }

  uint32(value: number): void {
    this.#at = this.#bytes.writeUInt32LE(value, this.#at)
  }

  uint64(value: number): void {
    this.uint32(value % 2 ** 32)
    this.uint32(Math.floor(value / 2 ** 32))
  }

  /** @param lengthBytes its length in UTF-8 */
  text(value: string, lengthBytes: number): void {
    if (this.#bytes.write(value, this.#at) !== lengthBytes)
      throw new RangeError('a text does not fit into its record')
    this.#at += lengthBytes
  }

  zeros(lengthBytes: number): void {
    this.#at += lengthBytes
  }

  /** The record, all of whose bytes must have been written. */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.remainingBytes !== 0)
      throw new RangeError(`${this.remainingBytes} bytes of a record were not written`)
    return this.#bytes
  }
}
