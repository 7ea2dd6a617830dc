import { centralHeaderBytes, END_BYTES, localHeaderBytes } from '../archive/format.ts'

/** Thrown where the archive would pass its plan's limit: the job fails there, not when the archive is done. */
export class ZipSizeExceeded extends Error {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super('the archive would pass its size limit')
    this.name = 'ZipSizeExceeded'
    this.maxBytes = maxBytes
  }
}

/** Counts what the archive will hold, from the moment that it is known, against the plan's limit. */
export class SizeLimit {
  readonly maxBytes: number
  #claimedBytes: number

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
    this.#claimedBytes = END_BYTES
  }

  /** Begins a claim for one entry. */
  claim(bytes: number): SizeClaim {
    const claim = new SizeClaim((change) => this.#change(change))
    claim.set(bytes)
    return claim
  }

  /** The last word, on the archive as it is about to be finished. */
  check(zipBytes: number): void {
    if (zipBytes > this.maxBytes) throw new ZipSizeExceeded(this.maxBytes)
  }

  #change(bytes: number): void {
    if (bytes > 0 && this.#claimedBytes + bytes > this.maxBytes) throw new ZipSizeExceeded(this.maxBytes)
    this.#claimedBytes += bytes
  }
}

/** What one entry takes of the limit. */
export class SizeClaim {
  readonly #change: (bytes: number) => void
  #bytes = 0

  constructor(change: (bytes: number) => void) {
    this.#change = change
  }

  /** @throws ZipSizeExceeded when there is not so much room */
  set(bytes: number): void {
    this.#change(bytes - this.#bytes)
    this.#bytes = bytes
  }

  /** Makes the claim at least so large. */
  raise(bytes: number): void {
    if (bytes > this.#bytes) this.set(bytes)
  }

  release(): void {
    this.set(0)
  }
}

/** What an entry of this name and length takes of the finished archive, its header in the directory included. */
export function entryBytes(name: string, compressedBytes: number): number {
  const nameBytes = Buffer.byteLength(name)
  const headerBytes = localHeaderBytes(nameBytes, compressedBytes, compressedBytes)
  // Where it will lie is not known yet; past 4 GiB that costs it twelve bytes more.
  return headerBytes + compressedBytes + centralHeaderBytes(nameBytes, compressedBytes, compressedBytes, 0)
}
