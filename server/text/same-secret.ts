/** Whether two texts are the same. Compares their digests, so that the duration reveals nothing of the secret. */
export function isSameSecret(sent: string, secret: string): boolean {
  return crypto.timingSafeEqual(digestOf(sent), digestOf(secret))
}

function digestOf(text: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(text).digest()
}
