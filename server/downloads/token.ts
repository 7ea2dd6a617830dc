/**
 * A download token grants access to the archive of one job, until the job expires; to the archive that holds a share link; or
 * always to the newest archive of one schedule.
 */
export interface Grant {
  readonly of: keyof typeof VERSIONS
  /** That of the job, link or schedule. */
  readonly id: string
  /**
   * When the job was to expire at the time the token was made, in milliseconds since the epoch; 0 if that was not known. It may
   * be changed later.
   */
  readonly expiresAt: number
}

/** A key that signs tokens. Tokens of older secrets stay valid, so that a new secret breaks no links. */
export interface SigningSecret {
  /** Six hexadecimal digits. */
  readonly id: string
  readonly bytes: Uint8Array
}

// A token is base64url of these 60 bytes, a multiple of three, so that no character has bits to spare:
//   0  1  1 for a job, 2 for a schedule, 3 for a share link
//   1  3  id of the secret
//   4 16  id of the job, schedule or link
//  20  8  expiry, milliseconds since the epoch, big-endian
//  28 32  HMAC-SHA256 of the bytes before it
const VERSIONS = { job: 1, schedule: 2, link: 3 } as const
const OPENED = ['job', 'schedule', 'link'] as const
const SIGNED_BYTES = 28
const TOKEN = /^[A-Za-z0-9_-]{80}$/

/** Deterministic: the same grant and secret give the same token. */
export function signToken(grant: Grant, secret: SigningSecret): string {
  const signed = Buffer.alloc(SIGNED_BYTES)
  signed.writeUInt8(VERSIONS[grant.of])
  signed.write(secret.id, 1, 3, 'hex')
  signed.write(grant.id.replaceAll('-', ''), 4, 16, 'hex')
  signed.writeBigUInt64BE(BigInt(grant.expiresAt), 20)
  return Buffer.concat([signed, hmac(signed, secret)]).toString('base64url')
}

/** The grant of a token that one of the secrets has signed, whether or not the job has expired; null for anything else. */
export function verifyToken(token: string, secrets: readonly SigningSecret[]): Grant | null {
  if (!TOKEN.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const signed = bytes.subarray(0, SIGNED_BYTES)
  const secret = secrets.find(({ id }) => id === signed.toString('hex', 1, 4))
  const version = signed.readUInt8()
  const of = OPENED.find((of) => VERSIONS[of] === version)
  if (of === undefined || secret === undefined) return null
  if (!crypto.timingSafeEqual(hmac(signed, secret), bytes.subarray(SIGNED_BYTES))) return null
  const hex = signed.toString('hex', 4, 20)
  return {
    of,
    id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    expiresAt: Number(signed.readBigUInt64BE(20)),
  }
}

function hmac(bytes: Uint8Array, secret: SigningSecret): Buffer {
  return new Bun.CryptoHasher('sha256', secret.bytes).update(bytes).digest()
}
