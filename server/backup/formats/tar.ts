// server/decisions/libraries.md says why this is our own.

/** The headers of a tar archive, after POSIX.1-1988 (ustar). Pure: bytes from values, and back. */

/** One file of a tar archive. */
export interface TarEntry {
  /** At most 100 bytes of ASCII. */
  readonly name: string
  readonly sizeBytes: number
  /** Whole seconds since the epoch. */
  readonly modifiedAtSeconds: number
}

/** Each header has this length, and each body is followed by zeros up to a multiple of it. */
export const TAR_BLOCK_BYTES = 512
/** Zeros at the end of the archive: two empty blocks. */
export const TAR_END_BYTES = 2 * TAR_BLOCK_BYTES

export function tarHeader({ name, sizeBytes, modifiedAtSeconds }: TarEntry): Uint8Array {
  const block = Buffer.alloc(TAR_BLOCK_BYTES)
  block.write(name, 0, NAME_BYTES, 'latin1')
  block.write(octal(0o600, 8), MODE_AT, 'latin1')
  block.write(octal(0, 8), UID_AT, 'latin1')
  block.write(octal(0, 8), GID_AT, 'latin1')
  writeSize(block, sizeBytes)
  block.write(octal(modifiedAtSeconds, 12), TIME_AT, 'latin1')
  block.write('        ', CHECKSUM_AT, 'latin1')
  block.write('0', TYPE_AT, 'latin1')
  block.write('ustar\u000000', MAGIC_AT, 'latin1')
  // The sum over the header, in which the checksum itself counts as spaces.
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 7)} `, CHECKSUM_AT, 'latin1')
  return block
}

/** Null when the block is not exactly a header that `tarHeader` writes. */
export function readTarHeader(block: Uint8Array): TarEntry | null {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length)
  const entry = {
    name: bytes.toString('latin1', 0, NAME_BYTES).replace(/\0.*$/s, ''),
    sizeBytes: readSize(bytes),
    modifiedAtSeconds: Number.parseInt(bytes.toString('latin1', TIME_AT, TIME_AT + 11), 8),
  }
  const isReadable = Number.isSafeInteger(entry.sizeBytes) && Number.isSafeInteger(entry.modifiedAtSeconds)
  return isReadable && bytes.equals(tarHeader(entry)) ? entry : null
}

/** Zeros after a body of this length. */
export function tarPaddingBytes(sizeBytes: number): number {
  return (TAR_BLOCK_BYTES - (sizeBytes % TAR_BLOCK_BYTES)) % TAR_BLOCK_BYTES
}

const NAME_BYTES = 100
const MODE_AT = 100
const UID_AT = 108
const GID_AT = 116
const SIZE_AT = 124
const TIME_AT = 136
const CHECKSUM_AT = 148
const TYPE_AT = 156
const MAGIC_AT = 257

/** Eleven octal digits. */
const MAX_OCTAL_SIZE = 0o77777777777
/** The first byte of a size in binary. */
const BINARY = 0x80

function octal(value: number, fieldBytes: number): string {
  return `${value.toString(8).padStart(fieldBytes - 1, '0')}\0`
}

/** A size of 8 GiB or more is binary, as in GNU tar, which libarchive, Python and 7-Zip read, too. */
function writeSize(block: Buffer, sizeBytes: number): void {
  if (sizeBytes <= MAX_OCTAL_SIZE) {
    block.write(octal(sizeBytes, 12), SIZE_AT, 'latin1')
    return
  }
  block.writeUInt8(BINARY, SIZE_AT)
  block.writeBigUInt64BE(BigInt(sizeBytes), SIZE_AT + 4)
}

function readSize(block: Buffer): number {
  if (block.readUInt8(SIZE_AT) === BINARY) return Number(block.readBigUInt64BE(SIZE_AT + 4))
  return Number.parseInt(block.toString('latin1', SIZE_AT, SIZE_AT + 11), 8)
}
