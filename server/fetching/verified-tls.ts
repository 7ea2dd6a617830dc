/**
 * For every connection with TLS that this program makes. Without it, `NODE_TLS_REJECT_UNAUTHORIZED` in the environment would turn
 * verification off, also for secrets that are sent.
 */
export const VERIFIED_TLS = { rejectUnauthorized: true } as const
