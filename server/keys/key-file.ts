import { existsSync, readFileSync } from 'node:fs'
import { StartRefused } from '../errors.ts'
import { writeDurably } from '../files/durable.ts'
import { refusalOf } from '../files/refusal.ts'
import { generateApiKey, isApiKey } from './api-key.ts'
import type { ApiKeys } from './api-keys.ts'

/** The name of the key in the list of keys. */
const NAME = 'Key file'

/**
 * Gives a user the API key of a file, so that a service can be set up automatically. When the file does not exist, it is
 * written with a new key. A revoked key stays revoked. The file is written before the database, so that after a crash
 * between the two the next start adds the key of the file.
 * @throws StartRefused when the file can't be used, or holds anything but a key
 */
export function shareKeyFile(path: string, userId: string, apiKeys: ApiKeys): void {
  const key = keyOf(path)
  if (!isApiKey(key)) {
    throw new StartRefused(
      `The file of --owner-key-file, ${path}, contains no API key. Delete it, and the next start writes a new key to it.`,
    )
  }
  apiKeys.adopt(userId, NAME, key)
}

function keyOf(path: string): string {
  try {
    if (!existsSync(path)) writeDurably(path, `${generateApiKey()}\n`)
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new StartRefused(
      `The file of --owner-key-file, ${path}, ${refusalOf(error)}. Choose another place for it.`,
    )
  }
}
