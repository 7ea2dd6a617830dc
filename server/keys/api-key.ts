/**
 * The text of an API key: `hold_`, 32 random bytes in base62, and a CRC-32 of both in base62. Scanners for leaked
 * secrets recognise it, and a mistyped key is refused without a query.
 */
export function generateApiKey(): string {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)))
  const body = PREFIX + base62(BigInt(`0x${random.toString('hex')}`), RANDOM_DIGITS)
  return body + checksum(body)
}

export function isApiKey(text: string): boolean {
  return FORMAT.test(text) && checksum(text.slice(0, -CHECK_DIGITS)) === text.slice(-CHECK_DIGITS)
}

/** The digest that is stored instead of a key. A key has 256 random bits, so trying keys can't reverse a plain digest. */
export function digestOfApiKey(key: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(key).digest()
}

/** Enough of a key to recognise it, too little to guess it. */
export function displayPrefix(key: string): string {
  return key.slice(0, PREFIX.length + 6)
}

const PREFIX = 'hold_'
const RANDOM_BYTES = 32
/** 62^43 is the first power above 2^256, 62^6 above 2^32. */
const RANDOM_DIGITS = 43
const CHECK_DIGITS = 6
const FORMAT = /^hold_[0-9A-Za-z]{49}$/
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function checksum(body: string): string {
  return base62(BigInt(Bun.hash.crc32(body)), CHECK_DIGITS)
}

function base62(value: bigint, digits: number): string {
  let text = ''
  for (let rest = value; text.length < digits; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text
  return text
}
