// server/decisions/checking-and-pulling.md says what counts as a finding, and why.

import { type EndRecord, findEndRecord } from '../reading/end-record.ts'
import type { ArchiveReader } from '../reading/reader.ts'
import { FLAG } from '../reading/records.ts'
import type { BodyFault, Codecs, PackedBody } from '../reading/unpacked.ts'
import { inWindows } from '../reading/windows.ts'
import type { BodyChecker, BodyToCheck } from './bodies.ts'
import { type Directory, isEncrypted, type ListedEntry, readDirectory } from './directory.ts'
import { bodyText, findChecksums, type NamedChecksums } from './find-checksums.ts'
import { Findings } from './findings.ts'
import { bytes, isZeros, type PlacedEntry, placedEntries } from './layout.ts'
import { leavesFolder, linkLeavesFolder } from './names.ts'
import { RepeatedNames } from './repeated-names.ts'

export interface VerifiedArchive {
  readonly findings: Findings
  readonly entryCount: number
  /** Of all files, unpacked. */
  readonly unpackedBytes: number
  /** The list of SHA-256 digests that the files were compared with; null if there is none. */
  readonly checksums: { readonly name: string; readonly checkedCount: number } | null
}

export interface VerifyOptions {
  readonly codecs: Codecs
  readonly checker: BodyChecker
  readonly signal: AbortSignal
  /** Called with the number of bytes of the file that were checked since the last call. */
  readonly progress: (bytes: number) => void
}

/**
 * Checks any ZIP file: its structure, the CRC-32 of every entry, and the digests in its `SHA256SUMS`. Takes memory in proportion to the
 * directory, which is limited, and not to the files.
 * @throws the reason of the signal, and errors of reading other than that of a damaged disk
 */
export async function verifyArchive(
  reader: ArchiveReader,
  sizeBytes: number,
  options: VerifyOptions,
): Promise<VerifiedArchive> {
  const findings = new Findings()
  const end = await findEndRecord(reader, sizeBytes)
  const directory = end === null ? null : await readableDirectory(reader, end, findings)
  if (end === null) findings.add('NOT_A_ZIP', null, 'This is not a ZIP file, or its end is missing.')
  if (end === null || directory === null)
    return { findings, entryCount: 0, unpackedBytes: 0, checksums: null }
  await checkEnd(reader, end, directory, sizeBytes, findings)
  const unpackedBytes = await checkListed(directory, findings)
  const windows = inWindows(reader)
  const checksums = await new Run(windows, directory, findings, options).check(end.directoryOffset)
  return { findings, entryCount: directory.count, unpackedBytes, checksums }
}

async function readableDirectory(
  reader: ArchiveReader,
  end: EndRecord,
  findings: Findings,
): Promise<Directory | null> {
  if (end.isSplit) {
    findings.add(
      'SPLIT_ARCHIVE',
      null,
      'It is one of several files of a split archive, which cannot be checked.',
    )
    return null
  }
  const { directoryOffset, directoryBytes, shiftBytes } = end
  if (shiftBytes < 0 || directoryOffset < 0 || directoryOffset + directoryBytes > end.offset) {
    findings.add('DIRECTORY_DAMAGED', null, 'Its directory is not where its end says: bytes are missing.')
    return null
  }
  const directory = await readDirectory(reader, end)
  if (directory === null)
    findings.add('DIRECTORY_DAMAGED', null, 'Its directory is longer than 128 MB, and cannot be checked.')
  return directory
}

async function checkEnd(
  reader: ArchiveReader,
  end: EndRecord,
  directory: Directory,
  sizeBytes: number,
  findings: Findings,
): Promise<void> {
  if (!directory.isWhole)
    findings.add('DIRECTORY_DAMAGED', null, `Its directory is damaged after ${directory.count} files.`)
  if (directory.count !== end.entries) {
    findings.add(
      'ENTRY_COUNT_DIFFERS',
      null,
      `Its end says that it has ${end.entries} files; its directory lists ${directory.count}.`,
    )
  }
  if (end.isZip64Wrong)
    findings.add(
      'ZIP64_DIFFERS',
      null,
      'Its ZIP64 record is missing, or differs from the end of the archive.',
    )
  const directoryEnd = end.directoryOffset + end.directoryBytes
  if (directoryEnd < end.offset) {
    findings.add(
      'UNKNOWN_BYTES',
      null,
      `${bytes(end.offset - directoryEnd)} between its directory and its end belong to no file.`,
    )
  }
  if (sizeBytes > end.endOffset) {
    const after = bytes(sizeBytes - end.endOffset)
    if (await isZeros(reader, end.endOffset, sizeBytes))
      findings.remark('BYTES_AFTER', null, `${after} of padding follow the archive.`)
    else findings.add('UNKNOWN_BYTES', null, `${after} follow the end of the archive.`)
  }
}

/** Checks what the directory alone tells. @returns the size of all files */
async function checkListed(directory: Directory, findings: Findings): Promise<number> {
  using names = new RepeatedNames(directory.count)
  let unpackedBytes = 0
  for await (const batch of directory.entries()) {
    for (const { name, isUtf8, flags, compressedBytes, sizeBytes } of batch) {
      unpackedBytes += sizeBytes
      names.note(name)
      if (leavesFolder(name))
        findings.add('UNSAFE_NAME', name, 'Its name leads out of the folder that it is unpacked to.')
      if (name === '' || name.includes('\0'))
        findings.add(
          'INVALID_NAME',
          name,
          'Its name is empty, or contains a character that no name can have.',
        )
      if (!isUtf8 && (flags & FLAG.utf8) !== 0)
        findings.add('INVALID_NAME', name, 'Its name is said to be UTF-8, and is not.')
      if (name.endsWith('/') && sizeBytes > 0)
        findings.add('FOLDER_WITH_CONTENT', name, 'It is a folder by its name, and has content.')
      if (sizeBytes > compressedBytes * MAX_PLAIN_RATIO)
        findings.remark(
          'HIGH_RATIO',
          name,
          `Unpacked, it is ${ratioOf(sizeBytes, compressedBytes)} as large.`,
        )
    }
  }
  if (!names.any) return unpackedBytes
  for await (const batch of directory.entries()) {
    for (const { name } of batch)
      if (names.isRepeated(name))
        findings.add('NAME_TWICE', name, 'Several files have this name: unpacked, one replaces the other.')
  }
  return unpackedBytes
}

function ratioOf(sizeBytes: number, compressedBytes: number): string {
  return compressedBytes === 0 ? 'infinitely' : `${Math.round(sizeBytes / compressedBytes)} times`
}

/** The check of the entries themselves. */
class Run {
  readonly #reader: ArchiveReader
  readonly #directory: Directory
  readonly #findings: Findings
  readonly #options: VerifyOptions
  readonly #running = new Set<Promise<void>>()
  #batch: { readonly body: BodyToCheck; readonly name: string }[] = []
  #batchBytes = 0
  #checkedCount = 0

  constructor(reader: ArchiveReader, directory: Directory, findings: Findings, options: VerifyOptions) {
    this.#reader = reader
    this.#directory = directory
    this.#findings = findings
    this.#options = options
  }

  async check(directoryOffset: number): Promise<VerifiedArchive['checksums']> {
    const { codecs } = this.#options
    const { found: sums, damaged } = await findChecksums(this.#reader, this.#directory, codecs)
    for (const name of damaged)
      this.#findings.add('LIST_DAMAGED', name, 'The list of checksums cannot be read.')
    const digests = sums?.checksums.digests ?? new Map<string, string>()
    for await (const placed of placedEntries(
      this.#reader,
      this.#directory,
      directoryOffset,
      this.#findings,
    )) {
      this.#options.signal.throwIfAborted()
      const { entry } = placed
      const body = this.#bodyOf(placed)
      if (body === null) continue
      if (isLink(entry)) await this.#checkLink(entry, body)
      this.#batch.push({ body: { ...body, isHashed: digests.has(entry.name) }, name: entry.name })
      this.#batchBytes += body.compressedBytes + BODY_COST_BYTES
      if (this.#batchBytes >= BATCH_BYTES) await this.#startBatch(digests)
    }
    await this.#startBatch(digests)
    await Promise.all(this.#running)
    if (sums === null) return null
    await this.#checkMissing(sums)
    return { name: sums.name, checkedCount: this.#checkedCount }
  }

  /** Null for what can't be read. */
  #bodyOf({ entry, headerBytes }: PlacedEntry): PackedBody | null {
    const { name, method, offset, compressedBytes, sizeBytes, crc32 } = entry
    if (isEncrypted(entry)) {
      this.#findings.add('ENCRYPTED', name, 'It is encrypted: its content cannot be checked.')
      return null
    }
    if (method !== 0 && method !== 8) {
      this.#findings.add(
        'METHOD_NOT_SUPPORTED',
        name,
        `It is compressed by ${METHODS[method] ?? `method ${method}`}, which is not supported: its content cannot be checked.`,
      )
      return null
    }
    return { offset, headerBytes, compressedBytes, sizeBytes, crc32, method }
  }

  async #startBatch(digests: ReadonlyMap<string, string>): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#batchBytes = 0
    if (batch.length === 0) return
    while (this.#running.size >= this.#options.checker.parallel) await Promise.race(this.#running)
    // A batch that failed stays, so that the next wait for any of them fails.
    const run: Promise<void> = this.#checkBatch(batch, digests).then(() => void this.#running.delete(run))
    run.catch(() => {})
    this.#running.add(run)
  }

  async #checkBatch(
    batch: readonly { readonly body: BodyToCheck; readonly name: string }[],
    digests: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { checker, progress } = this.#options
    const results = await checker.check(
      batch.map(({ body }) => body),
      progress,
    )
    for (const [index, { name }] of batch.entries()) {
      const { fault = 'unreadable', sha256 = null } = results[index] ?? {}
      if (fault !== null) this.#findings.add('CONTENT_DAMAGED', name, FAULTS[fault])
      if (sha256 === null) continue
      this.#checkedCount += 1
      if (sha256 !== digests.get(name))
        this.#findings.add(
          'CHECKSUM_DIFFERS',
          name,
          'Its SHA-256 is not the one in the list: its content was changed.',
        )
    }
  }

  async #checkLink({ name }: ListedEntry, body: PackedBody): Promise<void> {
    const target =
      body.sizeBytes > MAX_LINK_BYTES ? null : await bodyText(this.#reader, body, this.#options.codecs)
    if (target === null || linkLeavesFolder(name, target))
      this.#findings.add(
        'UNSAFE_LINK',
        name,
        'It is a link that leads out of the folder that it is unpacked to.',
      )
  }

  async #checkMissing({
    name: listName,
    checksums: { digests, unreadableLines },
  }: NamedChecksums): Promise<void> {
    if (unreadableLines > 0) {
      const lines = unreadableLines === 1 ? '1 line is' : `${unreadableLines} lines are`
      this.#findings.add('LIST_DAMAGED', listName, `${lines} not of the form that sha256sum writes.`)
    }
    const found = new Set<string>()
    let unlisted = 0
    for await (const batch of this.#directory.entries()) {
      for (const { name } of batch) {
        if (digests.has(name)) found.add(name)
        else if (name !== listName && !name.endsWith('/')) unlisted += 1
      }
    }
    for (const name of digests.keys())
      if (!found.has(name))
        this.#findings.add('LISTED_FILE_MISSING', name, `${listName} lists it, and it is not in the archive.`)
    if (unlisted > 0) {
      const files = unlisted === 1 ? '1 file is' : `${unlisted} files are`
      this.#findings.remark('NOT_LISTED', null, `${files} not listed in ${listName}.`)
    }
  }
}

function isLink({ unixMode }: ListedEntry): boolean {
  return (unixMode & 0xf000) === 0xa000
}

const FAULTS: Readonly<Record<BodyFault, string>> = {
  unreadable: 'Its content is cut off, or cannot be read from the disk.',
  invalid: 'Its content is damaged: it cannot be unpacked.',
  size: 'Its content is damaged: it has another size than the directory says.',
  crc: 'Its content is damaged: its CRC-32 differs.',
}

/** APPNOTE 4.4.5. */
const METHODS: Readonly<Record<number, string>> = {
  1: 'Shrink',
  6: 'Implode',
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  94: 'MP3',
  95: 'XZ',
  97: 'WavPack',
  98: 'PPMd',
}

/** DEFLATE can't do much more: 1,032. */
const MAX_PLAIN_RATIO = 1000
const MAX_LINK_BYTES = 4096
/** What a thread gets at once. */
const BATCH_BYTES = 8 * 1024 * 1024
/** So that a batch of tiny bodies is no longer than one of large ones. */
const BODY_COST_BYTES = 8 * 1024
