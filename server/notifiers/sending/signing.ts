/**
 * A secret as the Standard Webhooks specification writes it: `whsec_` and the base64 of 32 random bytes.
 */
export function generateSecret(): string {
  const random = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  return PREFIX + Buffer.from(random).toString('base64')
}

/**
 * The headers of one attempt, by the Standard Webhooks specification: `webhook-id`, `webhook-timestamp` in seconds, and
 * `webhook-signature` with one signature per secret, separated by spaces.
 * @param now the time of the attempt, in milliseconds: receivers refuse messages that are minutes old
 */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  const timestamp = `${Math.floor(now / 1000)}`
  const signed = `${id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => `v1,${hmac(signed, secret)}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

/** HMAC-SHA256 with the bytes of the secret, in base64. */
function hmac(text: string, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return new Bun.CryptoHasher('sha256', key).update(text).digest('base64')
}

const PREFIX = 'whsec_'
/** The specification asks for 24 to 64 bytes. */
const SECRET_BYTES = 32
