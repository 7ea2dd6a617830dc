import { copyFile } from './copy-file.ts'
import { createFile } from './new-file.ts'
import { TAR_END_BYTES, tarHeader, tarPaddingBytes } from './tar.ts'
import type { BackupWriter } from './writer.ts'

/** Writes a backup as one new tar archive. */
export function openTarWriter(path: string): BackupWriter {
  const tar = createFile(path)
  return {
    async add(name, source, stop) {
      using file = source.open()
      const { sizeBytes, modifiedAtMs } = file
      tar.write(tarHeader({ name, sizeBytes, modifiedAtSeconds: Math.floor(modifiedAtMs / 1000) }))
      const digest = await copyFile(file, (piece) => tar.write(piece), stop)
      tar.write(new Uint8Array(tarPaddingBytes(sizeBytes)))
      return digest
    },
    finish() {
      tar.write(new Uint8Array(TAR_END_BYTES))
      tar.finish(null)
      return tar.sizeBytes
    },
    [Symbol.dispose]: () => tar[Symbol.dispose](),
  }
}
