import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { StartRefused } from '../errors.ts'
import { writeDurably } from '../files/durable.ts'
import type { SigningSecret } from './token.ts'

const SECRET_BYTES = 32

/**
 * Reads the secrets that sign download tokens, oldest first; the newest one signs. The first start generates one.
 * To replace it, append a new secret to the file and restart; remove the old one when its links have expired.
 * @throws StartRefused when the file contains anything else: a new secret would invalidate every existing link
 */
export function openSigningSecrets(path: string): SigningSecrets {
  if (!existsSync(path)) {
    const first = { id: randomHex(3), secret: randomHex(SECRET_BYTES) }
    writeDurably(path, `${JSON.stringify([first])}\n`)
  }
  const read = secretsFile.safeParse(readFileSync(path, 'utf8'))
  const all = (read.data ?? []).map(({ id, secret }) => ({ id, bytes: Buffer.from(secret, 'hex') }))
  const signing = all.at(-1)
  if (signing === undefined) {
    throw new StartRefused(
      `${path} contains no readable secrets. Restore it from a backup, or delete it: the next start creates a new secret, and all download links from before stop working.`,
    )
  }
  return { signing, all }
}

export interface SigningSecrets {
  readonly signing: SigningSecret
  readonly all: readonly SigningSecret[]
}

const secret = z.object({ id: z.string().regex(/^[0-9a-f]{6}$/), secret: z.string().regex(/^[0-9a-f]{64}$/) })

const secretsFile = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' })
      return z.NEVER
    }
  })
  .pipe(z.array(secret))

function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')
}
