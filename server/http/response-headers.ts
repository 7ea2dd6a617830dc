/**
 * Of every response, unless a route says otherwise. Answers hold keys and links: nobody is to keep them. The UI loads
 * nothing from elsewhere, runs no inline script and is framed by nobody.
 */
export const RESPONSE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const
