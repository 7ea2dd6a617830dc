// server/decisions/base-archives.md says which entries are copied, and why not more.

import { hasHeader } from '../../archive/complete.ts'
import { LocalArchive } from '../../archive/reading/local-archive.ts'
import type { ArchiveReader } from '../../archive/reading/reader.ts'
import { isIntact } from '../../archive/reading/verify.ts'
import { inWindows } from '../../archive/reading/windows.ts'
import { LINKED_WINDOW_BYTES, LinkedArchive } from '../../archive-store/linked-archive.ts'
import { Semaphore } from '../../semaphore.ts'
import type { BaseUse } from '../../vocabulary.ts'
import type { FetchRecord, KeptEntry } from '../checkpoint/checkpoint.ts'
import type { BaseEntry, BaseOrder } from '../job-order.ts'
import { type CopyingArchive, EntryCopy } from './entry-copy.ts'

/** The base of a job: a finished archive whose entries are copied as they are, compressed or not. */
export class BaseArchive implements Disposable {
  readonly reuse: BaseUse
  /** As in the order. */
  readonly keepFrom: number | null
  readonly #file: LocalArchive | null
  readonly #reader: ArchiveReader
  /** One entry at a time, so that memory and the order of reads do not depend on how many sources there are. */
  readonly #turns = new Semaphore(1)

  /**
   * Null when the archive is no longer there: then all sources are fetched.
   * @param stop aborted when the job ends
   */
  static open(order: BaseOrder, stop: AbortSignal): BaseArchive | null {
    const { path, link } = order
    if (link !== null)
      return new BaseArchive(null, inWindows(new LinkedArchive(link, stop), LINKED_WINDOW_BYTES), order)
    const file = LocalArchive.open(path)
    return file === null ? null : new BaseArchive(file, inWindows(file), order)
  }

  private constructor(file: LocalArchive | null, reader: ArchiveReader, { reuse, keepFrom }: BaseOrder) {
    this.#file = file
    this.#reader = reader
    this.reuse = reuse
    this.keepFrom = keepFrom
  }

  /**
   * Copies an entry to the archive of the job, and verifies it on the way.
   * @returns false when the entry is damaged or not the one that is wanted, and nothing was copied
   */
  async copy(
    archive: CopyingArchive & { readonly signal: AbortSignal },
    position: number,
    entry: BaseEntry,
    options: CopyOptions,
  ): Promise<boolean> {
    const { isHashed, wanted, fetched, kept } = options
    using _turn = await this.#turns.acquire(archive.signal)
    if (!(await hasHeader(this.#reader, { ...entry, name: entry.finalName }))) return false
    const copy = new EntryCopy(archive, position, { ...factsOf(entry), kept })
    const hasher = isHashed ? new Bun.CryptoHasher('sha256') : null
    const isWhole = await isIntact(copyingReader(this.#reader, copy), entry, archive.signal, (piece) =>
      hasher?.update(piece),
    )
    const sha256 = hasher?.digest('hex') ?? null
    const isCopied = isWhole && (wanted === null || sha256 === wanted)
    if (isCopied) copy.finish({ sha256, fetched })
    else copy.discard()
    return isCopied
  }

  [Symbol.dispose](): void {
    this.#file?.[Symbol.dispose]()
  }
}

interface CopyOptions {
  /** Whether the SHA-256 of the copy is computed. */
  readonly isHashed: boolean
  /** The SHA-256 that it must have, in lower-case hexadecimal digits; null for any. */
  readonly wanted: string | null
  /** Where the manifest says that it comes from; null for nothing. */
  readonly fetched: FetchRecord | null
  /** Why it is copied although its source fails; null if it does not. */
  readonly kept: KeptEntry | null
}

/** Copies what is read. */
function copyingReader(reader: ArchiveReader, copy: EntryCopy): ArchiveReader {
  return {
    async *pieces(offset, lengthBytes) {
      for await (const piece of reader.pieces(offset, lengthBytes)) {
        copy.write(piece)
        yield piece
      }
    },
  }
}

function factsOf(entry: BaseEntry) {
  const {
    finalName: _name,
    keptFrom: _from,
    offset: _offset,
    headerBytes: _bytes,
    sha256: _sha256,
    fetched: _,
    ...facts
  } = entry
  return facts
}
