/**
 * Sent with every response, unless a route sets another value. Responses hold keys and links and must not be cached. The
 * UI loads nothing from other origins, runs no inline scripts and must not be framed.
 */
export const RESPONSE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const
