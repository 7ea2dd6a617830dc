/** Where the records of an entry are in an archive. */
export interface EntryRecords {
  readonly name: string
  /** In the central directory. */
  readonly listedAt: number
  readonly localAt: number
  readonly bodyAt: number
  readonly bodyBytes: number
  /** Where the name is: in the local header, and in the directory. */
  readonly namesAt: readonly [number, number]
}

/** The records of an archive that a test damages. */
export interface ZipRecords {
  readonly directoryAt: number
  readonly directoryBytes: number
  readonly endAt: number
  entry(name: string): EntryRecords
  /** In the order of their bodies. */
  readonly inOrder: readonly EntryRecords[]
}

/** Finds the records of a small archive without a comment and without ZIP64 (APPNOTE 4.3), by no code that is tested. */
export function findRecords(zip: Buffer): ZipRecords {
  const endAt = zip.length - END_BYTES
  if (zip.readUInt32LE(endAt) !== 0x06054b50) throw new Error('The archive has a comment, or no end.')
  const directoryAt = zip.readUInt32LE(endAt + 16)
  const entries = new Map<string, EntryRecords>()
  for (let listedAt = directoryAt; listedAt < endAt; ) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
      zip.readUInt16LE(listedAt + field),
    )
    const headerBytes = LISTED_BYTES + (nameBytes ?? 0)
    const name = zip.toString('utf8', listedAt + LISTED_BYTES, listedAt + headerBytes)
    const localAt = zip.readUInt32LE(listedAt + 42)
    const localBytes = LOCAL_BYTES + zip.readUInt16LE(localAt + 26) + zip.readUInt16LE(localAt + 28)
    entries.set(name, {
      name,
      listedAt,
      localAt,
      bodyAt: localAt + localBytes,
      bodyBytes: zip.readUInt32LE(listedAt + 20),
      namesAt: [localAt + LOCAL_BYTES, listedAt + LISTED_BYTES],
    })
    listedAt += headerBytes + (extraBytes ?? 0) + (commentBytes ?? 0)
  }
  return {
    directoryAt,
    directoryBytes: zip.readUInt32LE(endAt + 12),
    endAt,
    inOrder: [...entries.values()].toSorted((a, b) => a.localAt - b.localAt),
    entry(name) {
      const found = entries.get(name)
      if (found === undefined) throw new Error(`The archive has no ${name}, but ${[...entries.keys()]}.`)
      return found
    },
  }
}

const LOCAL_BYTES = 30
const LISTED_BYTES = 46
const END_BYTES = 22
