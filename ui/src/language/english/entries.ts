import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

/** What is said of single files of an archive: on the map, in the table, and while links are checked. */
export const entriesCopy = catalogue('entriesCopy', {
  statuses: {
    waiting: 'Waiting',
    fetching: 'Fetching',
    stored: 'Done',
    check: 'Check',
    failed: 'Failed',
  },
  duplicate: 'Duplicate',
  counts: {
    waiting: (count: string) => `${count} waiting`,
    fetching: (count: string) => `${count} fetching`,
    stored: (count: string) => `${count} done`,
    check: (count: string) => `${count} to check`,
    failed: (count: string) => `${count} failed`,
  },
  map: (count: number, counts: string) =>
    plural(count, {
      one: `Map of # file${counts === '' ? '' : ': '}${counts}. Each has a row in the list.`,
      other: `Map of # files${counts === '' ? '' : ': '}${counts}. Each has a row in the list.`,
    }),

  warnings: {
    empty: 'Empty file',
    loginRefused: 'Saved login refused',
    signInPage: 'Sign-in page instead of the file',
    page: 'Web page instead of the file',
  },

  /** Why a text that was given as a link can't be fetched, by the code of `links/`. */
  urlProblems: {
    TOO_LONG: (limit: string) => `Longer than ${limit} characters`,
    HAS_SPACE: 'Contains a space',
    NO_SCHEME: 'Missing https://',
    NOT_A_URL: 'Not a valid URL',
    UNSUPPORTED_SCHEME: (scheme: string) => `${scheme} isn’t supported (http and https only)`,
  },

  httpErrors: {
    400: 'Request not understood',
    401: 'Sign-in required',
    402: 'Payment required',
    403: 'No access',
    404: 'Not found',
    407: 'Proxy sign-in required',
    408: 'Server gave up waiting',
    410: 'No longer available',
    423: 'Locked',
    429: 'Too many requests',
    451: 'Blocked for legal reasons',
    502: 'Server unavailable',
    503: 'Server unavailable',
    504: 'Server took too long',
  },
  serverError: 'Server error',
  notAvailable: 'Not available',
  doesNotFit: (limit: string) => `Doesn’t fit: archives can have up to ${limit}`,
  errors: {
    'Could not resolve host': 'No such server (DNS)',
    'Connection refused': 'Server refused the connection',
    'Connection failed': 'Couldn’t connect',
    'Connection closed early': 'Connection lost before the end',
    'Timed out': 'Server took too long',
    'TLS certificate not trusted': 'Certificate not trusted (TLS)',
    'TLS handshake failed': 'No secure connection (TLS)',
    'Address not allowed': 'Private network, blocked',
    'Too many redirects': 'Too many redirects',
    'Unsupported redirect': 'Redirects to an unsupported address',
    'Malformed response': 'Server sent an invalid response',
    'Unreadable content encoding': 'File can’t be decompressed',
    'Source changed during the download': 'File changed while it was fetched',
    'Unexpected HTML': 'Web page instead of the file',
    'Empty file': 'Server sent an empty file',
    'Proxy refused': 'The proxy refused',
    'Checksum mismatch': 'Not the expected file (its checksum differs)',
  },
})
