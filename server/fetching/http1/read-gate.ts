/** A connection that receives a response. */
export interface GatedReader {
  /** Stops reading. What has been read may still be reported. */
  hold(): void
  letRead(): void
}

/**
 * Limits how fast the connections of a job read: they read what was granted, then all of them stop until more is. The sources have to
 * wait meanwhile, since the buffers of their connections fill.
 *
 * Methods in the order in which they may be called: `connect` at the begin of a run; then, for each reader, `add`, then `received` any
 * number of times, then `delete`. `granted` follows each request.
 */
export class ReadGate {
  #request: ((owedBytes: number) => void) | null = null
  readonly #nowMs: () => number
  /** The one that has read last comes last. */
  readonly #readers = new Set<GatedReader>()
  /** Less than 0 after a read that brought more than was granted. */
  #grantedBytes = 0
  #isRequested = false
  /** How long it was closed in all, until `#closedSinceMs`. */
  #heldMs = 0
  #closedSinceMs: number | null

  /** @param nowMs a clock that never jumps */
  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs
    this.#closedSinceMs = nowMs()
  }

  /**
   * A run begins. A request of the run before it will not be answered.
   * @param request asks for a grant. It must be larger than the bytes that were already read without one
   */
  connect(request: (owedBytes: number) => void): void {
    this.#request = request
    this.#isRequested = false
  }

  add(reader: GatedReader): void {
    this.#readers.add(reader)
    if (this.#grantedBytes > 0) return
    reader.hold()
    this.#requestMore()
  }

  received(reader: GatedReader, sizeBytes: number): void {
    this.#grantedBytes -= sizeBytes
    this.#readers.delete(reader)
    this.#readers.add(reader)
    if (this.#grantedBytes > 0) return
    this.#closedSinceMs ??= this.#nowMs()
    for (const each of this.#readers) each.hold()
    this.#requestMore()
  }

  delete(reader: GatedReader): void {
    this.#readers.delete(reader)
    reader.letRead()
  }

  granted(sizeBytes: number): void {
    this.#isRequested = false
    this.#grantedBytes += sizeBytes
    if (this.#grantedBytes <= 0) return
    this.#heldMs = this.heldMs()
    this.#closedSinceMs = null
    // In this order: whoever reads first may use all of it.
    for (const reader of this.#readers) reader.letRead()
  }

  /** For how long nothing could be read, in all, so that no source is called silent for that. */
  heldMs(): number {
    return this.#heldMs + (this.#closedSinceMs === null ? 0 : this.#nowMs() - this.#closedSinceMs)
  }

  #requestMore(): void {
    if (this.#isRequested) return
    this.#isRequested = true
    this.#request?.(Math.max(0, -this.#grantedBytes))
  }
}
