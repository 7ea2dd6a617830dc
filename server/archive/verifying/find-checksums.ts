import type { ArchiveReader } from '../reading/reader.ts'
import { type Codecs, DamagedBody, type PackedBody, unpackedBody } from '../reading/unpacked.ts'
import { type Checksums, parseChecksums, SOURCES_NAME, SUMS_NAME } from './checksums.ts'
import { type Directory, isEncrypted, type ListedEntry } from './directory.ts'
import { localHeaderLengthAt } from './layout.ts'

export interface NamedChecksums {
  readonly name: string
  readonly checksums: Checksums
}

/**
 * The list of checksums of an archive: the last one that names its list of sources, as Holdall writes them; else the last one. A source may
 * bring such a list, too.
 * @returns also the names of lists that can't be read
 */
export async function findChecksums(
  reader: ArchiveReader,
  directory: Directory,
  codecs: Codecs,
): Promise<{ readonly found: NamedChecksums | null; readonly damaged: readonly string[] }> {
  const candidates: ListedEntry[] = []
  const sources = new Set<string>()
  for (let number = 0; number < directory.count; number++) {
    const entry = directory.entry(number)
    if (SUMS_NAME.test(entry.name)) candidates.push(entry)
    if (SOURCES_NAME.test(entry.name)) sources.add(entry.name)
  }
  const damaged: string[] = []
  let last: NamedChecksums | null = null
  for (const entry of candidates.slice(-MAX_LISTS).toReversed()) {
    const text = await textOf(reader, entry, codecs)
    if (text === null) {
      damaged.push(entry.name)
      continue
    }
    const found = { name: entry.name, checksums: parseChecksums(text) }
    if ([...found.checksums.digests.keys()].some((name) => sources.has(name))) return { found, damaged }
    last ??= found
  }
  return { found: last, damaged }
}

/** The text of a body; null if it is damaged. */
export async function bodyText(
  reader: ArchiveReader,
  body: PackedBody,
  codecs: Codecs,
): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const piece of unpackedBody(reader, body, codecs))
      text += decoder.decode(piece, { stream: true })
    return text + decoder.decode()
  } catch (error) {
    if (error instanceof DamagedBody) return null
    throw error
  }
}

async function textOf(reader: ArchiveReader, entry: ListedEntry, codecs: Codecs): Promise<string | null> {
  const { method, offset, compressedBytes, sizeBytes, crc32 } = entry
  const headerBytes = await localHeaderLengthAt(reader, offset)
  if (headerBytes === null || (method !== 0 && method !== 8) || isEncrypted(entry)) return null
  if (sizeBytes > MAX_LIST_BYTES) return null
  return bodyText(reader, { offset, headerBytes, compressedBytes, sizeBytes, crc32, method }, codecs)
}

/** A million files with names of some length. */
const MAX_LIST_BYTES = 128 * 1024 * 1024
/** How many lists are read, from the last on. */
const MAX_LISTS = 100
