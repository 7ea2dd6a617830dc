/**
 * For every connection with TLS that this program makes. Without it, `NODE_TLS_REJECT_UNAUTHORIZED` in the environment would turn
 * verification off, also for secrets that are sent.
 */
export const VERIFIED_TLS = { rejectUnauthorized: true } as const

/** The setting of a connection which trusts certificates (in PEM format) beside those that are built in. */
export function alsoTrusting(certificates: readonly string[]): { readonly ca?: string } {
  if (certificates.length === 0) return {}
  // One text: Bun keeps what it has made of the settings of a connection, and compares them again for each one.
  return { ca: [...builtInCertificates(), ...certificates].join('\n') }
}

/** `ca` replaces these. */
function builtInCertificates(): readonly string[] {
  return process.getBuiltinModule('node:tls').getCACertificates('default')
}
