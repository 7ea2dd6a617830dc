import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { PRIVATE_FILE } from '../files/private-file.ts'
import type { SigningSecret } from './token.ts'

const SECRET_BYTES = 32

/**
 * Reads the secrets that sign download tokens, oldest first; the last one signs. The first start makes one.
 * To change it, append a new one to the file and restart; take the old one out when its links have expired.
 */
export function openSigningSecrets(path: string): SigningSecrets {
  try {
    const first = { id: randomHex(3), secret: randomHex(SECRET_BYTES) }
    writeFileSync(path, `${JSON.stringify([first])}\n`, { flag: 'wx', mode: PRIVATE_FILE, flush: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const all = secretsFile.parse(JSON.parse(readFileSync(path, 'utf8'))).map(({ id, secret }) => ({
    id,
    bytes: Buffer.from(secret, 'hex'),
  }))
  const signing = all.at(-1)
  if (signing === undefined) throw new Error('the file of signing secrets is empty')
  return { signing, all }
}

export interface SigningSecrets {
  readonly signing: SigningSecret
  readonly all: readonly SigningSecret[]
}

const secretsFile = z
  .array(z.object({ id: z.string().regex(/^[0-9a-f]{6}$/), secret: z.string().regex(/^[0-9a-f]{64}$/) }))
  .min(1)

function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')
}
