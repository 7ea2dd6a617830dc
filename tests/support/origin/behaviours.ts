/** How a source behaves, and what the right outcome is. */
export interface Behaviour {
  /** In the words of a report: completes "a source that ...". */
  readonly name: string
  /** Paths of the origin. Each is fetched once; the same `run` in all queries makes them those of one host. */
  readonly paths: readonly string[]
  /** The file that each path has; null if no whole file can be had, so that every program must fail. */
  readonly file: ExpectedFile | null
}

/** As `expectedBytes(sizeBytes, seed)`, or a text. */
export type ExpectedFile = { readonly sizeBytes: number; readonly seed: number } | { readonly text: string }

/** A query that tells one run from another: what a source does may depend on how often it was asked. */
export function withRun(path: string, run: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}run=${run}`
}

/** One line per URL, for an engineer who wants to paste one. Each call with another number gives URLs that were not asked before. */
export function listOfBehaviours(origin: string, run: number): string {
  const lines = behaviours.map(({ name, paths: [path = ''], file }) => {
    const right = file === null ? 'must fail' : 'has a file'
    return `${name} (${right})\n    ${origin}${withRun(path, `${run}`)}\n`
  })
  return `Sources that misbehave, by name. Reload for URLs that start over.\n\n${lines.join('')}`
}

const SIZE = 200_000
const LARGE = 3_000_000
const file: ExpectedFile = { sizeBytes: SIZE, seed: 1 }
const largeFile: ExpectedFile = { sizeBytes: LARGE, seed: 1 }
/** The file after it has changed. */
const changedFile: ExpectedFile = { sizeBytes: LARGE, seed: 2 }
const limitedFile: ExpectedFile = { sizeBytes: 10_000, seed: 1 }

const many = (count: number, path: string) => Array.from({ length: count }, (_, n) => `${path}&n=${n}`)

/** What public reports of bugs and hostile servers have shown, each once. */
export const behaviours: readonly Behaviour[] = [
  // No whole file can be had.
  { name: 'answers 202 with a page', paths: ['/status/202'], file: null },
  { name: 'answers 204', paths: ['/status/204'], file: null },
  { name: 'answers 205', paths: ['/status/205'], file: null },
  { name: 'answers 226 with a difference', paths: ['/status/226'], file: null },
  {
    name: 'cuts each body that has a length',
    paths: [`/bytes/${SIZE}?cut_at=100000&etag=none&last_modified=none`],
    file: null,
  },
  {
    name: 'ends each chunked body without its last chunk',
    paths: [`/bytes/${SIZE}?framing=chunked&cut_at=100000&etag=none&last_modified=none`],
    file: null,
  },
  {
    name: 'resets each body without a length',
    paths: [`/bytes/${SIZE}?framing=close&reset_at=100000&etag=none&last_modified=none`],
    file: null,
  },
  { name: 'answers 206 with a half that nobody asked for', paths: [`/half-as-206/${SIZE}`], file: null },
  { name: 'answers 200 with a half and its Content-Range', paths: [`/half-as-200/${SIZE}`], file: null },

  // The file changes while it is fetched.
  ...[
    ['a weak tag', 'rest-with-weak-tag'],
    ['an unquoted tag', 'rest-with-unquoted-tag'],
    ['two tags', 'rest-with-two-tags'],
    ['another Last-Modified', 'rest-with-other-last-modified'],
    ['the same tag and another Last-Modified', 'rest-with-tag-and-other-last-modified'],
    ['a coding', 'rest-with-coding'],
    ['status 200', 'rest-as-200'],
  ].map(([how, route]) => ({
    name: `gives the rest of a changed file with ${how}`,
    paths: [`/${route}/${LARGE}`],
    file: changedFile,
  })),
  {
    name: 'redirects the second time to another file with the same tag',
    paths: [`/redirect-elsewhere?to=/first-half/${LARGE}&then=/same-tag/${LARGE}`],
    file: changedFile,
  },
  ...[0, 1].map((afterMs) => ({
    name: `sends a second response ${afterMs} ms after each`,
    paths: many(6, `/second-response/${SIZE}?after_ms=${afterMs}`),
    file,
  })),

  // The bytes are the file, whatever the headers say.
  ...['none', 'utf-8', 'aws-chunked', 'binary'].map((coding) => ({
    name: `names ${coding} as Content-Encoding`,
    paths: [`/labelled/a.bin?size=${SIZE}&coding=${coding}`],
    file,
  })),
  {
    name: 'labels a .tar.gz with gzip after a redirect',
    paths: [`/redirect/1?to=${encodeURIComponent(`/labelled/x.tar.gz?size=${SIZE}&coding=gzip`)}`],
    file,
  },
  { name: 'sends a length beside chunks', paths: [`/length-beside-chunked/${SIZE}`], file },
  { name: 'answers 206 with the whole', paths: [`/whole-as-206/${SIZE}`], file },
  { name: 'folds a header', paths: [`/folded-header/${SIZE}`], file },
  { name: 'has a space before a colon', paths: [`/space-before-colon/${SIZE}`], file },
  { name: 'sends its length twice', paths: [`/length-twice/${SIZE}`], file },
  { name: 'pads the sizes of its chunks', paths: [`/padded-chunks/${SIZE}`], file },
  { name: 'sends 300 headers', paths: [`/300-headers/${SIZE}`], file },
  {
    name: 'redirects to raw UTF-8',
    paths: [`/raw-utf8-location?to=${encodeURIComponent(`/bytes/${SIZE}/é.bin`)}`],
    file,
  },
  { name: 'redirects fifteen times', paths: [`/redirect/15?to=/bytes/${SIZE}`], file },
  {
    name: 'sets a cookie by a redirect and wants it back',
    paths: ['/cookie-wall'],
    file: { text: 'The file\n' },
  },

  // The file can be had by whoever is patient.
  {
    name: 'allows 10 requests in a second, else 429 with Retry-After: 1',
    paths: many(60, '/rate-limited/10?retry_after=1'),
    file: limitedFile,
  },
  {
    name: 'allows 3 requests in a second, else 429',
    paths: many(20, '/rate-limited/3?status=429'),
    file: limitedFile,
  },
  {
    name: 'allows 3 requests in a second, else 503 with Retry-After: 1',
    paths: many(20, '/rate-limited/3?status=503&retry_after=1'),
    file: limitedFile,
  },
  {
    name: 'allows two requests at once, else 503',
    paths: many(30, '/at-once/2?status=503'),
    file: limitedFile,
  },
  {
    name: 'allows two requests at once, and closes the others',
    paths: many(30, '/at-once/2?status=close'),
    file: limitedFile,
  },
  {
    name: 'asks to wait 35 s by 503 with Retry-After',
    paths: [`/bytes/${SIZE}?fail=1&retry_after=35`],
    file,
  },
  {
    name: 'prepares the file with 202 and Retry-After',
    paths: [`/bytes/${SIZE}?fail=1&fail_status=202&retry_after=1`],
    file,
  },
  {
    name: 'cuts every transfer after 200 kB, with a strong tag',
    paths: [`/bytes/${LARGE}?cut_after=200000`],
    file: largeFile,
  },
  {
    name: 'cuts every transfer after 200 kB, with Last-Modified alone',
    paths: [`/bytes/${LARGE}?cut_after=200000&etag=none`],
    file: largeFile,
  },
  {
    name: 'breaks each text of 900 kB once',
    paths: many(20, '/bytes/900000?type=text/plain&cut_at=890000&times=1'),
    file: { sizeBytes: 900_000, seed: 1 },
  },
  { name: 'answers after 35 s', paths: [`/bytes/${SIZE}?delay_ms=35000`], file },
]
