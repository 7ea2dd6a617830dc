import { StartRefused } from '../errors.ts'
import { writeDurably } from '../files/durable.ts'
import { readOwnFile } from '../files/own-file.ts'

/** Seals secrets that are stored: AES-256-GCM (NIST SP 800-38D) with a nonce of their own. */
export interface Sealing {
  /** @param context what the secret belongs to: it can't be opened for anything else */
  seal(secret: string, context: string): Buffer
  /** Null when it was sealed by another key or for another context, or was changed. */
  open(sealed: Uint8Array, context: string): string | null
}

/**
 * Opens the key in a file. The first start generates it.
 * @throws StartRefused when the file contains anything else: with a new key, everything that is sealed would be lost
 */
export function openSealing(path: string): Sealing {
  if (readOwnFile(path) === null) writeDurably(path, `${randomBytes(KEY_BYTES).toString('hex')}\n`)
  const [, hex] = /^([0-9a-f]{64})\n$/.exec(readOwnFile(path) ?? '') ?? []
  if (hex === undefined) {
    throw new StartRefused(
      `${path} contains no key. Restore it from a backup, or delete it: the next start creates a new one, and saved logins must be entered again.`,
    )
  }
  const key = Buffer.from(hex, 'hex')
  return {
    seal(secret, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = nodeCrypto().createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed)
      const end = bytes.length - TAG_BYTES
      if (end < NONCE_BYTES) return null
      const decipher = nodeCrypto().createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(end))
      const opened = decipher.update(bytes.subarray(NONCE_BYTES, end))
      try {
        return Buffer.concat([opened, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

/** Loaded when a secret is sealed or opened: it takes some milliseconds of a start. */
const nodeCrypto = () => process.getBuiltinModule('node:crypto')

function randomBytes(count: number): Buffer {
  return crypto.getRandomValues(Buffer.alloc(count))
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
