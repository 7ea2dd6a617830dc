// server/decisions/checking-and-pulling.md says what is copied from an older archive, and what that proves.

import type { Directory } from '../archive/verifying/directory.ts'
import type { ByteRange } from '../bytes.ts'
import { FetchFailure } from '../fetching/attempts/fetch-failure.ts'
import type { FetchContext } from '../fetching/fetch-url.ts'
import { parseSourceUrl } from '../fetching/source-url.ts'
import type { PartFile } from './part-file.ts'
import { RemoteChanged, RemoteFile, type RemotePart } from './remote-file.ts'
import { directoryOf, type OldArchive, reuseEntries } from './reuse-entries.ts'

export interface PullOrder {
  readonly link: string
  readonly part: PartFile
  /** An older archive, and its directory; null for none. */
  readonly old: { readonly archive: OldArchive; readonly directory: Directory } | null
  readonly context: FetchContext
  readonly signal: AbortSignal
  /** Called with the length of the file as soon as it is known, and with the bytes that are there from before. */
  begun(totalBytes: number | null, hereBytes: number): void
  /** Called with the number of bytes that have arrived, or were copied, since the last call. */
  progress(bytes: number): void
}

export interface PulledFile {
  readonly totalBytes: number
  /** Bodies that came over the network in this run. */
  readonly fetchedBytes: number
  /** Copied from the older archive. */
  readonly copiedBytes: number
}

/** Thrown when a link brings no ZIP. */
export class NoArchive extends Error {
  override readonly name = 'NoArchive'
}

/**
 * Downloads an archive by a link to `part`: over several connections, from where an earlier run was interrupted, and with what an older
 * archive has, if the server sends ranges and a strong tag. Else over one connection.
 * @throws FetchFailure, NoArchive, RemoteChanged, NoRoom, or the reason of the signal
 */
export async function pull(order: PullOrder): Promise<PulledFile> {
  const run = new Pull(order)
  try {
    return await run.run()
  } catch (error) {
    if (!(error instanceof RemoteChanged)) throw error
    // Once: a server that changes the file all the time has none to give.
    return await new Pull(order).run()
  } finally {
    order.part.save()
  }
}

class Pull {
  readonly #order: PullOrder
  readonly #remote: RemoteFile
  /** Ends the other requests when one has failed. */
  readonly #failed = new AbortController()
  #etag: string | null = null
  /** Null while it is not known. */
  #totalBytes: number | null = null
  #fetchedBytes = 0
  #copiedBytes = 0

  constructor(order: PullOrder) {
    this.#order = order
    this.#remote = new RemoteFile(
      parseSourceUrl(order.link),
      order.context,
      AbortSignal.any([order.signal, this.#failed.signal]),
    )
  }

  async run(): Promise<PulledFile> {
    const { part, begun } = this.#order
    const first = await this.#remote.retried(async () => this.#remote.open(0, 1, null))
    if (first === null) throw new NoArchive('no bytes')
    this.#etag = first.etag
    this.#totalBytes = first.totalBytes
    const linkDigest = new Bun.CryptoHasher('sha256').update(this.#order.link).digest('hex')
    part.begin({ linkDigest, etag: first.etag, totalBytes: first.totalBytes })
    begun(first.totalBytes, part.ranges.bytes)
    const { totalBytes, isRange, etag } = first
    const inRanges = totalBytes !== null && isRange && etag !== null
    const total = inRanges ? await this.#pullRanges(first, totalBytes) : await this.#pullStream(first)
    if ((await directoryOf(part, total)) === null) throw new NoArchive('no directory')
    return { totalBytes: total, fetchedBytes: this.#fetchedBytes, copiedBytes: this.#copiedBytes }
  }

  async #pullRanges(first: RemotePart, totalBytes: number): Promise<number> {
    const { old, part, signal, progress } = this.#order
    // Read to its end, so that its connection serves the next request.
    await this.#receive(first, { start: 0, end: 1 }, () => {})
    const ensure = (ranges: readonly ByteRange[]) => this.#fetchAll(ranges)
    const copied = (bytes: number) => {
      this.#copiedBytes += bytes
      progress(bytes)
    }
    if (old !== null)
      await reuseEntries({ old: old.archive, part, totalBytes, ensure, copied, signal }, old.directory)
    await this.#fetchAll([{ start: 0, end: totalBytes }])
    return totalBytes
  }

  /** Fetches what is missing in these ranges, over several connections. */
  async #fetchAll(ranges: readonly ByteRange[]): Promise<void> {
    const { part } = this.#order
    const missing = piecesOf(ranges.flatMap(({ start, end }) => part.ranges.holes(start, end)))
    const fetchNext = async () => {
      try {
        for (const range of missing) await this.#fetchRange(range)
      } catch (error) {
        this.#failed.abort(error)
      }
    }
    // All must have ended before the file is closed.
    await Promise.all(Array.from({ length: CONNECTIONS }, fetchNext))
    this.#failed.signal.throwIfAborted()
  }

  async #fetchRange(range: ByteRange): Promise<void> {
    const { part } = this.#order
    await this.#remote.retried(async (brought) => {
      const [rest] = part.ranges.holes(range.start, range.end)
      if (rest === undefined) return
      const found = await this.#remote.open(rest.start, range.end, this.#etag)
      if (found === null || !found.isRange) throw new RemoteChanged('no range')
      using _found = found
      this.#assertSameLength(found)
      if ((found.end ?? 0) < range.end) throw new FetchFailure('Malformed response')
      await this.#receive(found, { start: rest.start, end: range.end }, brought)
    })
  }

  /** From where the part ends, in order: the file may still be made, or the server sends no ranges. */
  async #pullStream(first: RemotePart): Promise<number> {
    const { part, begun } = this.#order
    let next: RemotePart | null = first.isOpenEnded ? first : null
    if (next === null) first[Symbol.dispose]()
    return await this.#remote.retried(async (brought) => {
      const start = this.#etag === null ? 0 : part.ranges.prefixBytes
      let found = next
      next = null
      if (found !== null && start > 0) {
        found[Symbol.dispose]()
        found = null
      }
      found ??= await this.#remote.open(start, null, this.#etag)
      if (found === null) return start
      if (this.#etag !== null) this.#assertSameLength(found)
      begun(found.totalBytes, found.start)
      return await this.#receive(found, { start: found.start, end: found.totalBytes }, brought)
    })
  }

  /** Bytes of two lengths are of two files, whatever their tag says. */
  #assertSameLength({ totalBytes }: RemotePart): void {
    if (this.#totalBytes !== null && totalBytes !== null && totalBytes !== this.#totalBytes)
      throw new RemoteChanged('another length')
    this.#totalBytes ??= totalBytes
  }

  /** @returns where the body has ended */
  async #receive(
    remote: RemotePart,
    { start, end }: { readonly start: number; readonly end: number | null },
    brought: (bytes: number) => void,
  ): Promise<number> {
    using _remote = remote
    const { response, totalBytes } = remote
    let at = start
    for await (const piece of response.body) {
      const bytes = end === null ? piece : piece.subarray(0, end - at)
      this.#order.part.write(bytes, at)
      at += bytes.length
      this.#fetchedBytes += bytes.length
      brought(bytes.length)
      this.#order.progress(bytes.length)
      // What is beyond the range may never end.
      if (bytes.length < piece.length) break
    }
    if (end !== null && at !== end) throw new RemoteChanged('another length')
    if (totalBytes !== null && at > totalBytes) throw new RemoteChanged('another length')
    return at
  }
}

/** One after the other: a server may claim that its file has a billion of them. */
function* piecesOf(ranges: readonly ByteRange[]): Generator<ByteRange> {
  for (const range of ranges) {
    for (let { start } = range; start < range.end; start += PIECE_BYTES)
      yield { start, end: Math.min(range.end, start + PIECE_BYTES) }
  }
}

/** Like browsers. */
const CONNECTIONS = 6
/** Long enough that the wait for its first byte is nothing, short enough that all connections end together. */
const PIECE_BYTES = 8 * 1024 * 1024
