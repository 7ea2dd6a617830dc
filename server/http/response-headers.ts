/** Where the scripts of the interface are, for a policy that needs a host before a path. WebKit ignores a source that begins with `*:*`. */
const OWN_SCRIPTS = ['http', 'https'].flatMap((scheme) => [
  `${scheme}://*:*/assets/`,
  `${scheme}://*:*/docs/search.js`,
  `${scheme}://*:*/docs/calls.js`,
])

/**
 * Sent with every response, unless a route sets another value. Responses hold keys and links and must not be cached. The
 * UI loads nothing from other origins, runs no inline scripts and must not be framed.
 *
 * There are two policies, and both apply. The second one restricts scripts to the paths of our own, since files of archives have
 * the same origin. It allows them at any host, because behind a proxy the service need not know its own; the first one does not.
 */
export const RESPONSE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    `script-src ${OWN_SCRIPTS.join(' ')}`,
  ].join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const
