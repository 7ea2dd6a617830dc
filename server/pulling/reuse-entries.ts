import { findEndRecord } from '../archive/reading/end-record.ts'
import { type ArchiveReader, readRange } from '../archive/reading/reader.ts'
import { localHeaderLength } from '../archive/reading/records.ts'
import type { PackedBody } from '../archive/reading/unpacked.ts'
import { isIntact, NATIVE_CODECS } from '../archive/reading/verify.ts'
import { inWindows } from '../archive/reading/windows.ts'
import {
  type Directory,
  isEncrypted,
  type ListedEntry,
  readDirectory,
} from '../archive/verifying/directory.ts'
import { findChecksums } from '../archive/verifying/find-checksums.ts'
import { localHeaderLengthAt } from '../archive/verifying/layout.ts'
import type { ByteRange } from '../bytes.ts'
import type { PartFile } from './part-file.ts'

/** An archive whose bytes are on this machine. */
export interface OldArchive extends ArchiveReader {
  readonly sizeBytes: number
}

export interface Reuse {
  readonly old: OldArchive
  readonly part: PartFile
  readonly totalBytes: number
  /** Fetches what is missing in these ranges. */
  ensure(ranges: readonly ByteRange[]): Promise<void>
  /** Called with the number of bytes that were copied. */
  copied(bytes: number): void
  readonly signal: AbortSignal
}

/** The directory of an archive; null if it has none that can be read. */
export async function directoryOf(reader: ArchiveReader, sizeBytes: number): Promise<Directory | null> {
  const end = await findEndRecord(reader, sizeBytes)
  const isInFile =
    end !== null && end.directoryOffset >= 0 && end.directoryOffset + end.directoryBytes <= sizeBytes
  const directory = isInFile ? await readDirectory(reader, end) : null
  return directory?.isWhole === true ? directory : null
}

/**
 * Copies the bodies that an older archive also has: those with the same CRC-32, sizes and method, and with the SHA-256 that the new archive
 * lists, if it lists one. Everything else, local headers too, is fetched. Of each body, the first bytes are fetched and compared.
 */
export async function reuseEntries(reuse: Reuse, oldDirectory: Directory): Promise<void> {
  const { part, totalBytes, ensure, signal } = reuse
  const fetching: ArchiveReader = {
    async *pieces(offset, lengthBytes) {
      await ensure([{ start: offset, end: Math.min(offset + lengthBytes, totalBytes) }])
      yield* part.pieces(offset, lengthBytes)
    },
  }
  const directory = await directoryOf(fetching, totalBytes)
  if (directory === null) return
  const { found } = await findChecksums(fetching, directory, NATIVE_CODECS)
  const digests = found?.checksums.digests ?? new Map<string, string>()
  const candidates = await candidatesIn(reuse, directory, oldDirectory)
  await ensure(candidates.map(({ window }) => window))
  const reader = inWindows(reuse.old)
  // Bodies that overlap could be read for years.
  let leftBytes = totalBytes
  for (const { number, oldNumber, window } of candidates) {
    signal.throwIfAborted()
    const entry = await directory.entry(number)
    leftBytes -= entry.compressedBytes
    if (leftBytes < 0) return
    await copyBody(reuse, reader, {
      entry,
      old: await oldDirectory.entry(oldNumber),
      fetchedEnd: window.end,
      digest: digests.get(entry.name) ?? null,
    })
  }
}

/** A body that both archives may have. */
interface Candidate {
  /** Of its entry in the new directory. */
  readonly number: number
  /** The same in the older one. */
  readonly oldNumber: number
  readonly window: ByteRange
}

/** In the order of the new archive. Keeps no entries: a directory may have millions, with names of 65,535 bytes. */
async function candidatesIn(
  { totalBytes, signal }: Reuse,
  directory: Directory,
  oldDirectory: Directory,
): Promise<Candidate[]> {
  const oldNumbers = new Map<string, number>()
  let oldNumber = 0
  for await (const batch of oldDirectory.entries()) {
    signal.throwIfAborted()
    for (const entry of batch) {
      if (isWorthIt(entry) && oldNumbers.size < MAX_CANDIDATES) oldNumbers.set(contentKey(entry), oldNumber)
      oldNumber += 1
    }
  }
  const candidates: Candidate[] = []
  let number = 0
  for await (const batch of directory.entries()) {
    signal.throwIfAborted()
    for (const entry of batch) {
      const same = isWorthIt(entry) ? oldNumbers.get(contentKey(entry)) : undefined
      if (same !== undefined && candidates.length < MAX_CANDIDATES)
        candidates.push({ number, oldNumber: same, window: windowOf(entry, totalBytes) })
      number += 1
    }
  }
  return candidates.sort((one, other) => one.window.start - other.window.start)
}

/** A request for the local header costs about a kilobyte, and time. */
function isWorthIt(entry: ListedEntry): boolean {
  return (
    entry.compressedBytes >= MIN_COPY_BYTES &&
    (entry.method === 0 || entry.method === 8) &&
    !isEncrypted(entry)
  )
}

function contentKey({ crc32, sizeBytes, compressedBytes, method }: ListedEntry): string {
  return `${crc32} ${sizeBytes} ${compressedBytes} ${method}`
}

/** Where the local header is, and some bytes of the body. */
function windowOf({ offset, nameBytes }: ListedEntry, totalBytes: number): ByteRange {
  return { start: offset, end: Math.min(totalBytes, offset + nameBytes.length + WINDOW_BYTES) }
}

/** A body of the new archive, and the one of the older archive that may be the same. */
interface SameBody {
  readonly entry: ListedEntry
  readonly old: ListedEntry
  /** Where the bytes end that were fetched of it. */
  readonly fetchedEnd: number
  /** The SHA-256 that the new archive lists; null for none. */
  readonly digest: string | null
}

async function copyBody(
  { part, old: oldArchive, totalBytes, copied, signal }: Reuse,
  oldWindows: ArchiveReader,
  { entry, old, fetchedEnd, digest }: SameBody,
): Promise<void> {
  const header = await readRange(part, entry.offset, fetchedEnd - entry.offset)
  const headerBytes = localHeaderLength(header)
  const oldHeaderBytes = await localHeaderLengthAt(oldWindows, old.offset)
  if (headerBytes === null || oldHeaderBytes === null) return
  const start = entry.offset + headerBytes
  const end = start + entry.compressedBytes
  if (end > totalBytes || part.ranges.holes(start, end).length === 0) return
  // The first bytes are here already: they must be those of the older archive.
  const beginning = header.subarray(headerBytes)
  const oldStart = old.offset + oldHeaderBytes
  const oldBeginning = await readRange(oldWindows, oldStart, beginning.length)
  if (Buffer.compare(beginning, oldBeginning) !== 0) return
  const body: PackedBody = {
    offset: old.offset,
    headerBytes: oldHeaderBytes,
    compressedBytes: old.compressedBytes,
    sizeBytes: old.sizeBytes,
    crc32: old.crc32,
    method: old.method === 8 ? 8 : 0,
  }
  if (!(await isSame(oldArchive, body, digest, signal))) return
  const from = Math.max(start, fetchedEnd)
  let at = from
  for await (const piece of oldArchive.pieces(oldStart + from - start, end - from)) {
    signal.throwIfAborted()
    part.write(piece, at)
    at += piece.length
    copied(piece.length)
  }
}

async function isSame(
  reader: ArchiveReader,
  body: PackedBody,
  digest: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  const hasher = digest === null ? null : NATIVE_CODECS.sha256()
  const isWhole = await isIntact(reader, body, signal, (piece) => hasher?.update(piece))
  return isWhole && (hasher === null || hasher.hex() === digest)
}

const MIN_COPY_BYTES = 64 * 1024
/** Further bodies are fetched: each candidate takes a request, and some memory. A job has at most 5,000 files. */
const MAX_CANDIDATES = 20_000
/** Most local headers with their extra fields, and then some. */
const WINDOW_BYTES = 512
