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
  const sources: string[] = []
  for await (const batch of directory.entries()) {
    candidates.push(...batch.filter(({ name }) => SUMS_NAME.test(name)))
    sources.push(...batch.map(({ name }) => name).filter((name) => SOURCES_NAME.test(name)))
    for (const last of [candidates, sources]) last.splice(0, last.length - MAX_LISTS)
  }
  const damaged: string[] = []
  let last: NamedChecksums | null = null
  for (const entry of candidates.toReversed()) {
    const text = await textOf(reader, entry, codecs)
    if (text === null) {
      damaged.push(entry.name)
      continue
    }
    const found = { name: entry.name, checksums: parseChecksums(text) }
    if (sources.some((name) => found.checksums.digests.has(name))) return { found, damaged }
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

/** A hundred thousand files with the longest names, or three times as many with names of usual lengths. Its digests take twice as much memory. */
const MAX_LIST_BYTES = 32 * 1024 * 1024
/** How many lists are read, from the last on: of digests, and of sources. */
const MAX_LISTS = 100
