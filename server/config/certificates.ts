import { readFileSync } from 'node:fs'

/**
 * Reads the certificates of a PEM file (RFC 7468), and nothing else that it has, such as a key.
 * @returns the certificates; or what is wrong with the file, in words
 */
export function readCertificates(path: string): readonly string[] | { readonly problem: string } {
  const text = readText(path)
  if (text === null) return { problem: 'cannot be read' }
  const found = text.match(CERTIFICATE) ?? []
  if (found.length === 0) return { problem: 'has no certificate in PEM format' }
  return found.every(isCertificate) ? found : { problem: 'has a certificate that is damaged' }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}

function isCertificate(pem: string): boolean {
  // Loaded here, since few services have such a file.
  const { X509Certificate } = process.getBuiltinModule('node:crypto')
  try {
    return new X509Certificate(pem).subject !== null
  } catch {
    return false
  }
}

const CERTIFICATE = /^-----BEGIN CERTIFICATE-----$[^-]+^-----END CERTIFICATE-----$/gm
