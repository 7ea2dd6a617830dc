import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of an archive that a test builds, right or wrong. */
export interface BuiltEntry {
  readonly name: string | Uint8Array
  readonly content?: string | Uint8Array
  readonly method?: number
  /** The compressed bytes, if they are not those of the content. */
  readonly packed?: Uint8Array
  readonly flags?: number
  /** Writes CRC-32 and sizes after the body only, as programs do that can't go back. */
  readonly descriptor?: 'signed' | 'unsigned' | 'zip64' | 'wrong'
  readonly localExtra?: Uint8Array
  readonly centralExtra?: Uint8Array
  /** Unix mode and file type. */
  readonly mode?: number
  /** Values of the local header, or of the directory, that differ from what is right. */
  readonly local?: Partial<Fields>
  readonly central?: Partial<Fields>
  /** Bytes before its local header. */
  readonly before?: Uint8Array
}

interface Fields {
  readonly name: string
  readonly method: number
  readonly flags: number
  readonly crc32: number
  readonly compressedBytes: number
  readonly sizeBytes: number
  readonly offset: number
  readonly signature: number
  readonly disk: number
}

export interface BuiltArchive {
  readonly prefix?: Uint8Array
  /** Whether offsets count from the start of the file, and not from the archive in it. */
  readonly countsPrefix?: boolean
  readonly beforeDirectory?: Uint8Array
  readonly beforeEnd?: Uint8Array
  readonly comment?: string
  readonly after?: Uint8Array
  readonly end?: Partial<{
    readonly entries: number
    readonly directoryBytes: number
    readonly directoryOffset: number
    readonly disk: number
  }>
  /** Adds a ZIP64 end record, and values of it that differ from what is right. */
  readonly zip64?: Partial<{ readonly entries: number; readonly signature: number }>
}

/** Builds an archive byte by byte. */
export function buildZip(
  entries: readonly BuiltEntry[],
  archive: BuiltArchive = {},
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  let at = 0
  const put = (bytes: Uint8Array) => {
    parts.push(bytes)
    at += bytes.length
  }
  put(archive.prefix ?? EMPTY)
  const base = archive.countsPrefix === false ? at : 0
  const directory = entries.map((entry) => {
    put(entry.before ?? EMPTY)
    const fields = fieldsOf(entry, at - base)
    const { body, hasDescriptor } = bodyOf(entry)
    const open = hasDescriptor ? { crc32: 0, compressedBytes: 0, sizeBytes: 0 } : {}
    put(localHeader({ ...fields, ...open, ...entry.local }, entry.localExtra ?? EMPTY))
    put(body)
    if (hasDescriptor) put(descriptor(fields, entry.descriptor ?? 'signed'))
    return directoryHeader(
      { ...fields, ...entry.central },
      entry.centralExtra ?? EMPTY,
      entry.mode ?? 0o100644,
    )
  })
  put(archive.beforeDirectory ?? EMPTY)
  const directoryOffset = at - base
  for (const header of directory) put(header)
  const end = {
    entries: entries.length,
    directoryBytes: at - base - directoryOffset,
    directoryOffset,
    disk: 0,
    ...archive.end,
  }
  put(archive.beforeEnd ?? EMPTY)
  if (archive.zip64 !== undefined) put(zip64End({ ...end, ...archive.zip64 }, at - base))
  put(
    endRecord(
      archive.zip64 === undefined
        ? end
        : { ...end, entries: 0xffff, directoryBytes: UINT32_MAX, directoryOffset: UINT32_MAX },
      archive.comment ?? '',
    ),
  )
  put(archive.after ?? EMPTY)
  return new Uint8Array(Buffer.concat(parts))
}

/** Little-endian numbers: pairs of a value and its length in bytes. */
export function numbers(...values: readonly (readonly [value: number, lengthBytes: number])[]): Uint8Array {
  return Buffer.concat(
    values.map(([value, lengthBytes]) => {
      const bytes = Buffer.alloc(lengthBytes)
      if (lengthBytes === 8) bytes.writeBigUInt64LE(BigInt(value))
      else bytes.writeUIntLE(value, 0, lengthBytes)
      return bytes
    }),
  )
}

type AllFields = Omit<Fields, 'name' | 'signature'> & {
  readonly name: Uint8Array | string
  readonly signature?: number
}

function fieldsOf(entry: BuiltEntry, offset: number): AllFields {
  const content = Buffer.from(entry.content ?? '')
  const { body, hasDescriptor } = bodyOf(entry)
  const isAscii = typeof entry.name !== 'string' || Buffer.byteLength(entry.name) === entry.name.length
  return {
    name: entry.name,
    method: entry.method ?? 0,
    flags: (entry.flags ?? (isAscii ? 0 : 1 << 11)) | (hasDescriptor ? 1 << 3 : 0),
    crc32: crc32(content),
    compressedBytes: body.length,
    sizeBytes: content.length,
    offset,
    disk: 0,
  }
}

function bodyOf({ content = '', method = 0, packed, descriptor }: BuiltEntry) {
  const bytes = Buffer.from(content)
  return {
    body: packed ?? (method === 8 ? deflateRawSync(bytes) : bytes),
    hasDescriptor: descriptor !== undefined,
  }
}

function localHeader(fields: AllFields, extra: Uint8Array): Uint8Array {
  const name = Buffer.from(fields.name)
  const head = numbers(
    [fields.signature ?? 0x04034b50, 4],
    [20, 2],
    [fields.flags, 2],
    [fields.method, 2],
    [0x5a215a21, 4],
    [fields.crc32, 4],
    [fields.compressedBytes, 4],
    [fields.sizeBytes, 4],
    [name.length, 2],
    [extra.length, 2],
  )
  return Buffer.concat([head, name, extra])
}

function directoryHeader(fields: AllFields, extra: Uint8Array, mode: number): Uint8Array {
  const name = Buffer.from(fields.name)
  const head = numbers(
    [fields.signature ?? 0x02014b50, 4],
    [0x0314, 2],
    [20, 2],
    [fields.flags, 2],
    [fields.method, 2],
    [0x5a215a21, 4],
    [fields.crc32, 4],
    [fields.compressedBytes, 4],
    [fields.sizeBytes, 4],
    [name.length, 2],
    [extra.length, 2],
    [0, 2],
    [fields.disk, 2],
    [0, 2],
    [mode * 0x10000, 4],
    [fields.offset, 4],
  )
  return Buffer.concat([head, name, extra])
}

function descriptor(
  { crc32, compressedBytes, sizeBytes }: AllFields,
  kind: NonNullable<BuiltEntry['descriptor']>,
) {
  const sizeLength = kind === 'zip64' ? 8 : 4
  const sum = kind === 'wrong' ? crc32 ^ 1 : crc32
  const values = numbers([sum >>> 0, 4], [compressedBytes, sizeLength], [sizeBytes, sizeLength])
  return kind === 'unsigned' ? values : Buffer.concat([numbers([0x08074b50, 4]), values])
}

interface End {
  readonly entries: number
  readonly directoryBytes: number
  readonly directoryOffset: number
  readonly disk: number
  readonly signature?: number
}

function zip64End({ entries, directoryBytes, directoryOffset, signature = 0x06064b50 }: End, offset: number) {
  return numbers(
    [signature, 4],
    [44, 8],
    [45, 2],
    [45, 2],
    [0, 8],
    [entries, 8],
    [entries, 8],
    [directoryBytes, 8],
    [directoryOffset, 8],
    [0x07064b50, 4],
    [0, 4],
    [offset, 8],
    [1, 4],
  )
}

function endRecord({ entries, directoryBytes, directoryOffset, disk }: End, comment: string): Uint8Array {
  const head = numbers(
    [0x06054b50, 4],
    [disk, 2],
    [disk, 2],
    [entries, 2],
    [entries, 2],
    [directoryBytes, 4],
    [directoryOffset, 4],
    [comment.length, 2],
  )
  return Buffer.concat([head, Buffer.from(comment)])
}

const EMPTY = new Uint8Array(0)
const UINT32_MAX = 0xffffffff
