import { type ArchiveReader, readRange } from '../reading/reader.ts'
import {
  descriptorLength,
  FLAG,
  LOCAL_HEADER_BYTES,
  type LocalHeader,
  localHeaderLength,
  MAX_DESCRIPTOR_BYTES,
  parseLocalHeader,
} from '../reading/records.ts'
import type { Directory, ListedEntry } from './directory.ts'
import type { Findings } from './findings.ts'

/** An entry whose records agree, and where its body begins. */
export interface PlacedEntry {
  readonly entry: ListedEntry
  /** Length of the local header. */
  readonly headerBytes: number
}

/**
 * Compares the local header of each entry with the directory, and finds what overlaps and what belongs to no entry. Gives the entries whose
 * bodies can be read, in the order of the archive. A body that overlaps another entry is not among them, so that a small file can't
 * make this work for years.
 * @param reader for many small reads in about the order of the archive
 */
export async function* placedEntries(
  reader: ArchiveReader,
  directory: Directory,
  directoryOffset: number,
  findings: Findings,
): AsyncGenerator<PlacedEntry, void> {
  const gaps = new Gaps(reader, findings)
  /** Where the entries so far end. */
  let end = 0
  for (const number of directory.inArchiveOrder()) {
    const entry = await directory.entry(number)
    if (entry.offset + LOCAL_HEADER_BYTES > directoryOffset) {
      findings.add(
        'OUTSIDE_OF_FILE',
        entry.name,
        'The directory says that it begins where the file has no entries.',
      )
      continue
    }
    const overlaps = entry.offset < end
    if (overlaps) findings.add('OVERLAP', entry.name, 'It overlaps another file in the archive.')
    else await gaps.check(end, entry.offset)
    const local = await localHeaderAt(reader, entry.offset)
    if (local === null) {
      findings.add('LOCAL_HEADER_MISSING', entry.name, 'Its local header is missing.')
      end = Math.max(end, entry.offset)
      continue
    }
    const difference = differenceOf(local, entry)
    if (difference !== null) {
      findings.add(
        'LOCAL_HEADER_DIFFERS',
        entry.name,
        `Its local header and the directory differ in ${difference}.`,
      )
    }
    const bodyEnd = entry.offset + local.headerBytes + entry.compressedBytes
    if (bodyEnd > directoryOffset) {
      findings.add('OUTSIDE_OF_FILE', entry.name, 'It ends after the place where the directory begins.')
      end = Math.max(end, entry.offset + local.headerBytes)
      continue
    }
    end = Math.max(end, bodyEnd + (await descriptorBytes(reader, entry, local, bodyEnd, findings)))
    if (!overlaps) yield { entry, headerBytes: local.headerBytes }
  }
  await gaps.check(end, directoryOffset)
  gaps.remark()
}

/** Bytes between entries. Zeros are padding; a program that unpacks the archive may stand before all. */
class Gaps {
  readonly #reader: ArchiveReader
  readonly #findings: Findings
  #paddingBytes = 0

  constructor(reader: ArchiveReader, findings: Findings) {
    this.#reader = reader
    this.#findings = findings
  }

  async check(from: number, to: number): Promise<void> {
    if (to <= from) return
    if (await isZeros(this.#reader, from, to)) this.#paddingBytes += to - from
    else if (from === 0)
      this.#findings.remark(
        'BYTES_BEFORE',
        null,
        `${bytes(to)} stand before the archive, such as a program that unpacks it.`,
      )
    else this.#findings.add('UNKNOWN_BYTES', null, `${bytes(to - from)} from ${from} on belong to no file.`)
  }

  remark(): void {
    if (this.#paddingBytes > 0)
      this.#findings.remark('PADDING', null, `${bytes(this.#paddingBytes)} between files are padding.`)
  }
}

export async function isZeros(reader: ArchiveReader, from: number, to: number): Promise<boolean> {
  for await (const piece of reader.pieces(from, to - from)) if (piece.some((byte) => byte !== 0)) return false
  return true
}

export function bytes(count: number): string {
  return count === 1 ? '1 byte' : `${count} bytes`
}

/** Null if there is no local header. */
export async function localHeaderLengthAt(reader: ArchiveReader, offset: number): Promise<number | null> {
  return localHeaderLength(await readRange(reader, offset, LOCAL_HEADER_BYTES))
}

async function localHeaderAt(reader: ArchiveReader, offset: number): Promise<LocalHeader | null> {
  const lengthBytes = await localHeaderLengthAt(reader, offset)
  return lengthBytes === null ? null : parseLocalHeader(await readRange(reader, offset, lengthBytes))
}

/** In words; null if there is none. With a data descriptor, CRC-32 and sizes may be 0 in the local header (APPNOTE 4.4.4). */
function differenceOf(local: LocalHeader, entry: ListedEntry): string | null {
  if (!isSame(local.nameBytes, entry.nameBytes)) return 'the name'
  if (local.method !== entry.method) return 'the compression method'
  if (((local.flags ^ entry.flags) & COMPARED_FLAGS) !== 0) return 'the flags'
  const isLater = (local.flags & FLAG.descriptor) !== 0
  const differs = (ofLocal: number, ofEntry: number) => ofLocal !== ofEntry && !(isLater && isOpen(ofLocal))
  if (differs(local.crc32, entry.crc32)) return 'the CRC-32'
  if (differs(local.compressedBytes, entry.compressedBytes)) return 'the compressed size'
  if (differs(local.sizeBytes, entry.sizeBytes)) return 'the size'
  return null
}

/** Some programs set the flag of the data descriptor in one of the headers alone. */
const COMPARED_FLAGS = FLAG.encrypted | FLAG.utf8

/** 0, or 0xFFFFFFFF, which some programs write when ZIP64 may be needed. */
function isOpen(value: number): boolean {
  return value === 0 || value === 0xffffffff
}

async function descriptorBytes(
  reader: ArchiveReader,
  entry: ListedEntry,
  local: LocalHeader,
  bodyEnd: number,
  findings: Findings,
): Promise<number> {
  if ((local.flags & FLAG.descriptor) === 0) return 0
  const found = descriptorLength(await readRange(reader, bodyEnd, MAX_DESCRIPTOR_BYTES), entry)
  if (found === null && (local.crc32 !== entry.crc32 || local.sizeBytes !== entry.sizeBytes))
    findings.add(
      'DESCRIPTOR_DIFFERS',
      entry.name,
      'The record after its content does not say what the directory says.',
    )
  return found ?? 0
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
