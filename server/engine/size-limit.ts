import { centralHeaderBytes, END_BYTES, localHeaderBytes } from '../archive/format.ts'

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
  claim(bytes: number): SizeClaim {
    const claim = new SizeClaim((change) => this.#change(change))
    claim.set(bytes)
    return claim
  }

  /** Checks the final size of the archive. */
  check(zipBytes: number): void {
    if (zipBytes > this.maxBytes) throw new ZipSizeExceeded(this.maxBytes)
  }

  #change(bytes: number): void {
    if (bytes > 0 && this.#claimedBytes + bytes > this.maxBytes) throw new ZipSizeExceeded(this.maxBytes)
    this.#claimedBytes += bytes
  }
}

/** The bytes of the limit that one entry claims. */
export class SizeClaim {
  readonly #change: (bytes: number) => void
  #bytes = 0

  constructor(change: (bytes: number) => void) {
    this.#change = change
  }

  /** @throws ZipSizeExceeded when the limit would be exceeded */
  set(bytes: number): void {
    this.#change(bytes - this.#bytes)
    this.#bytes = bytes
  }

  /** Raises the claim to this number of bytes, if it is lower. */
  raise(bytes: number): void {
    if (bytes > this.#bytes) this.set(bytes)
  }

  release(): void {
    this.set(0)
  }
}

/** Bytes that an entry adds to the finished archive: local header, body, and header in the central directory. */
export function entryBytes(name: string, compressedBytes: number): number {
  const nameBytes = Buffer.byteLength(name)
  const headerBytes = localHeaderBytes(nameBytes, compressedBytes, compressedBytes)
  // Assumes offset 0, since the offset is not known yet. An offset past 4 GiB takes 12 bytes more.
  return headerBytes + compressedBytes + centralHeaderBytes(nameBytes, compressedBytes, compressedBytes, 0)
}
