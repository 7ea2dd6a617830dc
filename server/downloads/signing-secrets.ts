import { statSync } from 'node:fs'
import { z } from 'zod'
import { StartRefused } from '../errors.ts'
import { writeDurably } from '../files/durable.ts'
import { readOwnFile } from '../files/own-file.ts'
import { parseJson } from '../text/parse-json.ts'
import type { SigningSecret } from './token.ts'

/** The secrets that are in the file now. */
export interface SigningSecrets {
  readonly signing: SigningSecret
  /** Oldest first. */
  readonly all: readonly SigningSecret[]
}

/**
 * Opens the secrets that sign download tokens; the newest one signs. The first start generates one. The file is read again
 * when another process has replaced it (`rotateSigningSecrets`).
 * @throws StartRefused when the file contains anything else: a new secret would invalidate every existing link
 */
export function openSigningSecrets(path: string): SigningSecrets {
  if (readOwnFile(path) === null) write(path, [newSecret()])
  let version = versionOf(path)
  let secrets: SigningSecrets = read(path) ?? refuse(path)
  const current = () => {
    const found = versionOf(path)
    if (found !== null && found !== version) {
      secrets = readOrNull(path) ?? secrets
      version = found
    }
    return secrets
  }
  return {
    get signing() {
      return current().signing
    },
    get all() {
      return current().all
    },
  }
}

/**
 * Adds a secret, which signs from now on, also in a running service. Links that older secrets have signed work on, unless
 * `endsLinks`: then the older secrets are removed, for the case that somebody else has read them.
 * @throws StartRefused when the file contains no secrets
 */
export function rotateSigningSecrets(path: string, endsLinks: boolean): void {
  const { all } = read(path) ?? refuse(path)
  write(path, [...(endsLinks ? [] : all), newSecret()])
}

const secretsFile = z.array(
  z.object({
    id: z.string().check(z.regex(/^[0-9a-f]{6}$/)),
    secret: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  }),
)

/** A running service goes on with the secrets that it has. */
function readOrNull(path: string): SigningSecrets | null {
  try {
    return read(path)
  } catch {
    return null
  }
}

/** Null when the file contains anything but secrets. @throws StartRefused, or the error of the system, when it is none */
function read(path: string): SigningSecrets | null {
  const { data = [] } = secretsFile.safeParse(parseJson(readOwnFile(path) ?? ''))
  const all = data.map(({ id, secret }) => ({ id, bytes: Buffer.from(secret, 'hex') }))
  const signing = all.at(-1)
  return signing === undefined ? null : { signing, all }
}

function refuse(path: string): never {
  throw new StartRefused(
    `${path} contains no readable secrets. Restore it from a backup, or delete it: the next start creates a new secret, and all download links from before stop working.`,
  )
}

function write(path: string, secrets: readonly SigningSecret[]): void {
  const stored = secrets.map(({ id, bytes }) => ({ id, secret: Buffer.from(bytes).toString('hex') }))
  writeDurably(path, `${JSON.stringify(stored)}\n`)
}

/** Another one whenever the file is replaced; null while there is none. */
function versionOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.ino} ${found.mtimeMs}`
}

function newSecret(): SigningSecret {
  return { id: randomBytes(3).toString('hex'), bytes: randomBytes(SECRET_BYTES) }
}

function randomBytes(count: number): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(count)))
}

const SECRET_BYTES = 32
