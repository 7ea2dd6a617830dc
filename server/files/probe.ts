import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_FILE } from './private-file.ts'

/**
 * Checks that a directory is writable by writing a small file and deleting it. No other check covers permissions, quotas, free
 * inodes and the disk itself.
 * @throws the error of the system
 */
export async function probe(directory: string): Promise<void> {
  const path = join(directory, NAME)
  // Never writes to an existing file, which may be a link.
  await rm(path, { force: true })
  try {
    await writeFile(path, BLOCK, { mode: PRIVATE_FILE, flag: 'wx' })
  } finally {
    await rm(path, { force: true })
  }
}

const NAME = 'holdall-probe'
/** Not empty, so that the file needs a disk block. */
const BLOCK = new Uint8Array(4096)
