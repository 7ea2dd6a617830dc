import { StartRefused } from '../../errors.ts'
import type { ReadableFile } from './readable-file.ts'

/**
 * Passes all bytes of a file on.
 * @returns their SHA-256 in hex
 * @throws StartRefused when the file became shorter meanwhile
 */
export async function copyFile(
  file: ReadableFile,
  write: (piece: Uint8Array) => void,
  stop: AbortSignal,
): Promise<string> {
  const digest = new Bun.CryptoHasher('sha256')
  let copiedBytes = 0
  for await (const piece of file.pieces(0, file.sizeBytes, stop)) {
    digest.update(piece)
    write(piece)
    copiedBytes += piece.length
  }
  if (copiedBytes !== file.sizeBytes)
    throw new StartRefused('A file became shorter while it was copied. Back up again.')
  return digest.digest('hex')
}
