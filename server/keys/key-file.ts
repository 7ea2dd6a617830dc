import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { PRIVATE_FILE } from '../files/private-file.ts'
import { isApiKey } from './api-key.ts'
import type { ApiKeys } from './api-keys.ts'

/** Thrown when a key file holds something else. */
export class NoKeyInFile extends Error {
  override readonly name = 'NoKeyInFile'
}

/** What the key of such a file is called in the list. */
const NAME = 'Key file'

/**
 * Makes a file and a user agree on a key, so that a service can be set up without a person: the key of an existing
 * file (a mounted secret) becomes the user's, else a fresh one is written there. A revoked key stays revoked.
 */
export function shareKeyFile(path: string, userId: string, apiKeys: ApiKeys): void {
  if (!existsSync(path)) {
    const { key } = apiKeys.create(userId, NAME, null)
    writeFileSync(path, `${key}\n`, { flag: 'wx', mode: PRIVATE_FILE, flush: true })
    return
  }
  const key = readFileSync(path, 'utf8').trim()
  if (!isApiKey(key)) throw new NoKeyInFile('the file holds no API key')
  apiKeys.adopt(userId, NAME, key)
}
