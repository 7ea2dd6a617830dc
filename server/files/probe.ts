import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_FILE } from './private-file.ts'

/**
 * Writes a small file to a directory and removes it: the one honest answer to whether bytes can be written there, which
 * permissions, quotas, free inodes and the disk itself all have a say in.
 * @throws what the system says
 */
export async function probe(directory: string): Promise<void> {
  const path = join(directory, NAME)
  // Not what is there already: that may be a link to elsewhere.
  await rm(path, { force: true })
  try {
    await writeFile(path, BLOCK, { mode: PRIVATE_FILE, flag: 'wx' })
  } finally {
    await rm(path, { force: true })
  }
}

const NAME = 'holdall-probe'
/** An empty file takes no room: this one needs a block of its own. */
const BLOCK = new Uint8Array(4096)
