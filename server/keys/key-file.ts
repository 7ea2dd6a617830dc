import { existsSync, readFileSync } from 'node:fs'
import { StartRefused } from '../errors.ts'
import { writeDurably } from '../files/durable.ts'
import { refusalOf } from '../files/refusal.ts'
import { generateApiKey, isApiKey } from './api-key.ts'
import type { ApiKeys } from './api-keys.ts'

/** What the key of such a file is called in the list. */
const NAME = 'Key file'

/**
 * Makes a file and a user agree on a key, so that a service can be set up without a person: the key of an existing
 * file (a mounted secret) becomes the user's, else a fresh one is written there. A revoked key stays revoked. The file
 * comes first: whatever ends the start in between, the next one takes the key from there.
 * @throws StartRefused when the file cannot be used, or holds something else
 */
export function shareKeyFile(path: string, userId: string, apiKeys: ApiKeys): void {
  const key = keyOf(path)
  if (!isApiKey(key)) {
    throw new StartRefused(
      `The file of --owner-key-file, ${path}, holds no API key. Delete it to have one made there.`,
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
