/** Writes little-endian fields one after the other into records of known length (APPNOTE 4.4.1.1). */
export class RecordWriter {
  readonly #bytes: Buffer<ArrayBuffer>
  #at = 0

  /** Byte by byte, without a `DataView`: for one record, to create it takes longer than to write all fields. */
  constructor(lengthBytes: number) {
    this.#bytes = Buffer.alloc(lengthBytes)
  }

  /** The bytes written since the start or the last `clear`. A view, valid until the next write after a `clear`. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#at)
  }

  get remainingBytes(): number {
    return this.#bytes.length - this.#at
  }

  uint8(value: number): void {
    this.#bytes[this.#at] = value
    this.#at += 1
  }

  uint16(value: number): void {
    this.uint8(value)
    this.uint8(value >>> 8)
  }

  uint32(value: number): void {
    this.uint16(value)
    this.uint16(value >>> 16)
  }

  uint64(value: number): void {
    this.uint32(value)
    this.uint32(Math.floor(value / 2 ** 32))
  }

  /** @param lengthBytes its length in UTF-8 */
  text(value: string, lengthBytes: number): void {
    if (this.#bytes.write(value, this.#at) !== lengthBytes)
      throw new RangeError('a text does not fit into its record')
    this.#at += lengthBytes
  }

  skip(lengthBytes: number): void {
    this.#at += lengthBytes
  }

  /** Starts again at the first byte. The bytes keep their values, so `skip` then skips over old ones. */
  clear(): void {
    this.#at = 0
  }

  finish(): Uint8Array {
    if (this.remainingBytes !== 0)
      throw new RangeError(`${this.remainingBytes} bytes of a record were not written`)
    return this.#bytes
  }
}
