/** Writes little-endian fields one after the other into a record of known length (APPNOTE 4.4.1.1). */
export class RecordWriter {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(lengthBytes: number) {
    const buffer = new ArrayBuffer(lengthBytes)
    this.#bytes = new Uint8Array(buffer)
    this.#view = new DataView(buffer)
  }

  get remainingBytes(): number {
    return this.#bytes.length - this.#at
  }

  uint8(value: number): void {
    this.#view.setUint8(this.#at, value)
    this.#at += 1
  }

  uint16(value: number): void {
    this.#view.setUint16(this.#at, value, true)
    this.#at += 2
  }

  uint32(value: number): void {
    this.#view.setUint32(this.#at, value, true)
    this.#at += 4
  }

  uint64(value: number): void {
    this.#view.setBigUint64(this.#at, BigInt(value), true)
    this.#at += 8
  }

  bytes(value: Uint8Array): void {
    this.#bytes.set(value, this.#at)
    this.#at += value.length
  }

  skip(lengthBytes: number): void {
    this.#at += lengthBytes
  }

  finish(): Uint8Array {
    if (this.remainingBytes !== 0)
      throw new RangeError(`${this.remainingBytes} bytes of a record were not written`)
    return this.#bytes
  }
}
