/** Writes little-endian fields one after the other into records (APPNOTE 4.4.1.1). */
export class RecordWriter {
  readonly #bytes: Buffer<ArrayBuffer>
  readonly #fields: DataView
  #at = 0
  #end: number

  /** Use one writer for many records: to create it takes longer than to write all fields of a record. */
  constructor(lengthBytes: number) {
    this.#bytes = Buffer.alloc(lengthBytes)
    this.#fields = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, lengthBytes)
    this.#end = lengthBytes
  }

  /** The most bytes that fit. */
  get capacityBytes(): number {
    return this.#bytes.length
  }

  /** The bytes written since the start or the last `begin`. A view, valid until the next write after a `begin`. */
  get written(): Uint8Array {
    return this.writtenFrom(0)
  }

  get writtenBytes(): number {
    return this.#at
  }

  /** The same without the first `startBytes`. */
  writtenFrom(startBytes: number): Uint8Array {
    return this.#bytes.subarray(startBytes, this.#at)
  }

  get remainingBytes(): number {
    return this.#end - this.#at
  }

  uint8(value: number): void {
    this.#fields.setUint8(this.#at, value)
    this.#at += 1
  }

  uint16(value: number): void {
    this.#fields.setUint16(this.#at, value, true)
    this.#at += 2
  }

  uint32(value: number): void {
    this.#fields.setUint32(this.#at, value, true)
    this.#at += 4
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

  zeros(lengthBytes: number): void {
    this.#bytes.fill(0, this.#at, this.#at + lengthBytes)
    this.#at += lengthBytes
  }

  bytes(value: Uint8Array): void {
    this.#bytes.set(value, this.#at)
    this.#at += value.length
  }

  /** Starts again at the first byte, with a record of this length. */
  begin(lengthBytes: number): void {
    this.#at = 0
    this.#end = lengthBytes
  }

  /** Goes on with another record of this length, behind what was written. */
  next(lengthBytes: number): void {
    this.#end = this.#at + lengthBytes
  }

  /** A copy of the record, all of whose bytes must have been written. */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.remainingBytes !== 0)
      throw new RangeError(`${this.remainingBytes} bytes of a record were not written`)
    return new Uint8Array(this.written)
  }
}
