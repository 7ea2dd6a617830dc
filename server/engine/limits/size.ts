import { centralHeaderBytes, END_BYTES, localHeaderBytes } from '../../archive/format.ts'

/** Thrown as soon as the archive would exceed its plan's limit, not only when it is finished. */
export class ZipSizeExceeded extends Error {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super('the archive would exceed its size limit')
    this.name = 'ZipSizeExceeded'
    this.maxBytes = maxBytes
  }
}

/** Compares the size of the archive, as far as it is known so far, with the plan's limit. */
export class SizeLimit {
  readonly maxBytes: number
  #claimedBytes: number

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
    this.#claimedBytes = END_BYTES
  }

  /** Claims bytes of the limit for one entry. */
  claim(name: string, compressedBytes: number): SizeClaim {
    return new SizeClaim(this, Buffer.byteLength(name), compressedBytes)
  }

  /** Gives back what an entry has claimed, since it was dropped. */
  giveBack({ name, compressedBytes }: { readonly name: string; readonly compressedBytes: number }): void {
    this.change(-entryBytes(Buffer.byteLength(name), compressedBytes))
  }

  /** Checks the final size of the archive. */
  check(zipBytes: number): void {
    if (zipBytes > this.maxBytes) throw new ZipSizeExceeded(this.maxBytes)
  }

  /** Called by claims. */
  change(bytes: number): void {
    if (bytes > 0) this.check(this.#claimedBytes + bytes)
    this.#claimedBytes += bytes
  }
}

/** The bytes of the limit that one entry claims. */
export class SizeClaim {
  readonly #limit: SizeLimit
  readonly nameBytes: number
  #bytes = 0

  /** @throws ZipSizeExceeded when the limit would be exceeded */
  constructor(limit: SizeLimit, nameBytes: number, compressedBytes: number) {
    this.#limit = limit
    this.nameBytes = nameBytes
    this.set(compressedBytes)
  }

  /** @throws ZipSizeExceeded when the limit would be exceeded */
  set(compressedBytes: number): void {
    this.#change(entryBytes(this.nameBytes, compressedBytes))
  }

  /** Raises the claim to that of a body of this length, if it is lower. */
  raise(compressedBytes: number): void {
    this.#change(Math.max(this.#bytes, entryBytes(this.nameBytes, compressedBytes)))
  }

  release(): void {
    this.#change(0)
  }

  #change(bytes: number): void {
    this.#limit.change(bytes - this.#bytes)
    this.#bytes = bytes
  }
}

/** Bytes that an entry adds to the finished archive: local header, body, and header in the central directory. */
function entryBytes(nameBytes: number, compressedBytes: number): number {
  const headerBytes = localHeaderBytes(nameBytes, compressedBytes, compressedBytes)
  // Assumes offset 0, since the offset is not known yet. An offset past 4 GiB takes 12 bytes more.
  return headerBytes + compressedBytes + centralHeaderBytes(nameBytes, compressedBytes, compressedBytes, 0)
}
