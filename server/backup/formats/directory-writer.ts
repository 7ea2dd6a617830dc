import { linkSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PRIVATE_DIRECTORY } from '../../data/data-dir.ts'
import { syncDirectory } from '../../files/durable.ts'
import { systemCode } from '../../files/system-error.ts'
import { copyFile } from './copy-file.ts'
import { ARCHIVES_FOLDER } from './members.ts'
import { createFile } from './new-file.ts'
import { openForReading } from './readable-file.ts'
import type { BackupWriter } from './writer.ts'

/** Writes a backup as a new directory. Immutable files on the same disk become hard links, which need no space. */
export function openDirectoryWriter(path: string): BackupWriter {
  mkdirSync(path, { mode: PRIVATE_DIRECTORY })
  mkdirSync(join(path, ARCHIVES_FOLDER), { mode: PRIVATE_DIRECTORY })
  let totalBytes = 0
  return {
    async add(name, source, stop) {
      const target = join(path, name)
      const isLinked = source.immutablePath !== null && link(source.immutablePath, target)
      using file = isLinked ? openForReading(target) : source.open()
      using copy = isLinked ? null : createFile(target)
      const digest = await copyFile(file, (piece) => copy?.write(piece), stop)
      copy?.finish(file.modifiedAtMs)
      totalBytes += file.sizeBytes
      return digest
    },
    finish() {
      syncDirectory(join(path, ARCHIVES_FOLDER))
      syncDirectory(path)
      return totalBytes
    },
    [Symbol.dispose]() {},
  }
}

/** False when the two are on different disks, or the file system has no hard links. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (NO_LINK.has(systemCode(error))) return false
    throw error
  }
}

/** EMLINK: the file already has as many links as the file system allows. */
const NO_LINK: ReadonlySet<string> = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])
