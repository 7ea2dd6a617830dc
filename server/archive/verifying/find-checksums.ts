import type { ArchiveReader } from '../reading/reader.ts'
import { type Codecs, faultOf, type PackedBody } from '../reading/unpacked.ts'
import { type Checksums, parseChecksum, SOURCES_NAME, SUMS_NAME } from './checksums.ts'
import { type Directory, isEncrypted, type ListedEntry } from './directory.ts'
import { localHeaderLengthAt } from './layout.ts'

export interface NamedChecksums {
  readonly name: string
  readonly checksums: Checksums
}

/**
 * The list of checksums of an archive: the last one that names its list of sources, as Holdall writes them; else the last one. A source may
 * bring such a list, too. Of all lists, only the one that is returned is ever in memory.
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
  let last: ListedEntry | null = null
  let leftBytes = MAX_READ_BYTES
  for (const entry of candidates.toReversed()) {
    if (!isTooLong(entry)) leftBytes -= entry.sizeBytes
    if (leftBytes < 0) break
    let namesSources = false
    const isReadable = await readLines(reader, entry, codecs, (line) => {
      namesSources ||= line.includes('.jsonl') && sources.includes(parseChecksum(line)?.name ?? '')
    })
    if (!isReadable) damaged.push(entry.name)
    else if (namesSources) return { found: await checksumsOf(reader, entry, codecs), damaged }
    else last ??= entry
  }
  return { found: last === null ? null : await checksumsOf(reader, last, codecs), damaged }
}

async function checksumsOf(
  reader: ArchiveReader,
  entry: ListedEntry,
  codecs: Codecs,
): Promise<NamedChecksums> {
  const digests = new Map<string, string>()
  let unreadableLines = 0
  await readLines(reader, entry, codecs, (line) => {
    const checksum = parseChecksum(line)
    if (checksum !== null) digests.set(checksum.name, checksum.digest)
    else if (line.trim() !== '') unreadableLines += 1
  })
  return { name: entry.name, checksums: { digests, unreadableLines } }
}

/** The text of a body; null if it is damaged. */
export async function bodyText(
  reader: ArchiveReader,
  body: PackedBody,
  codecs: Codecs,
): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  const fault = await faultOf(reader, body, codecs, (piece) => {
    text += decoder.decode(piece, { stream: true })
  })
  return fault === null ? text + decoder.decode() : null
}

/** Reads a list line by line. @returns whether all of it could be read */
async function readLines(
  reader: ArchiveReader,
  entry: ListedEntry,
  codecs: Codecs,
  read: (line: string) => void,
): Promise<boolean> {
  const { method, offset, compressedBytes, sizeBytes, crc32 } = entry
  const headerBytes = await localHeaderLengthAt(reader, offset)
  if (headerBytes === null || (method !== 0 && method !== 8) || isEncrypted(entry)) return false
  if (isTooLong(entry)) return false
  const body: PackedBody = { offset, headerBytes, compressedBytes, sizeBytes, crc32, method }
  const decoder = new TextDecoder()
  let rest = ''
  const fault = await faultOf(reader, body, codecs, (piece) => {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    // What is cut off is no line of a list: no name is that long.
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_CHARACTERS)
    for (const line of lines) read(line)
  })
  if (fault !== null) return false
  read(rest + decoder.decode())
  return true
}

/** A body can have many more bytes than it unpacks to. */
function isTooLong({ sizeBytes, compressedBytes }: ListedEntry): boolean {
  return Math.max(sizeBytes, compressedBytes) > MAX_LIST_BYTES
}

/**
 * The longest list of Holdall has 21 MB: 5,000 files with names of 4,096 bytes. With short names, its digests take four times as much
 * memory.
 */
const MAX_LIST_BYTES = 24 * 1024 * 1024
/** Of all lists together: each is read to find the right one. */
const MAX_READ_BYTES = 4 * MAX_LIST_BYTES
/** A digest, and a name of 65,535 characters that are all escaped. */
const MAX_LINE_CHARACTERS = 140_000
/** How many lists are read, from the last on: of digests, and of sources. */
const MAX_LISTS = 100
