/** What an option of curl means for a fetch. */
export type CurlOption =
  | { readonly kind: 'ignored'; readonly takesValue: boolean }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'used'; readonly use: UsedOption }

/** An option that is followed by a value, by its long name. */
export type UsedOption = (typeof USED)[number]

/** An option by its long name, without hyphens; null for an unknown one. */
export function curlOption(name: string): CurlOption | null {
  const use = USED.find((used) => used === name)
  if (use !== undefined) return { kind: 'used', use }
  if (SWITCHES.has(name) || SWITCHES.has(name.replace(/^no-/, '')))
    return { kind: 'ignored', takesValue: false }
  if (VALUES.has(name)) return { kind: 'ignored', takesValue: true }
  const refused = REFUSED.find(([, names]) => names.has(name))
  return refused === undefined ? null : { kind: 'refused', reason: refused[0] }
}

/** The long name of an option that is a letter. */
export function longName(letter: string): string | undefined {
  return LETTERS[letter]
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

const USED = ['cookie', 'header', 'oauth2-bearer', 'referer', 'request', 'url', 'user', 'user-agent'] as const

/** They change what is shown or saved, or how often and how curl tries. Holdall has its own ways for these. */
const SWITCHES = wordsOf(`
  alpn basic buffer ca-native clobber compressed compressed-ssh create-dirs disable fail fail-early fail-with-body globoff
  http0.9 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only include insecure ipv4 ipv6 junk-session-cookies keepalive
  location location-trusted parallel parallel-immediate path-as-is progress-bar progress-meter raw remote-header-name
  remote-name remote-name-all remote-time remove-on-error retry-all-errors retry-connrefused sessionid show-error silent
  ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort styled-output tcp-fastopen tcp-nodelay tls-earlydata
  tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace-ids trace-time verbose xattr`)

const VALUES = wordsOf(`
  cacert capath ciphers connect-timeout continue-at cookie-jar curves dump-header expect100-timeout
  happy-eyeballs-timeout-ms ip-tos keepalive-cnt keepalive-time limit-rate max-filesize max-redirs max-time output output-dir
  parallel-max proto proto-default proto-redir rate retry retry-delay retry-max-time speed-limit speed-time stderr
  tls-max tls13-ciphers trace trace-ascii trace-config vlan-priority write-out`)

const SENDS = 'sends data. Holdall only fetches files, with GET'
const REFUSED: readonly (readonly [reason: string, names: ReadonlySet<string>])[] = [
  [
    SENDS,
    wordsOf(
      'data data-ascii data-binary data-raw data-urlencode form form-escape form-string json upload-file upload-flags',
    ),
  ],
  [
    'changes the address by more than its text. Write the whole address',
    wordsOf('get request-target url-query'),
  ],
  ['asks for the header alone. Holdall only fetches files, with GET', wordsOf('head')],
  ['asks for a part of the file. Holdall fetches whole files', wordsOf('range time-cond')],
  ['names another file. Give that file itself', wordsOf('config netrc netrc-file netrc-optional variable')],
  [
    'signs in by a method that Holdall does not have',
    wordsOf(
      'anyauth aws-sigv4 cert cert-type delegation digest key key-type negotiate ntlm pass service-name tlsauthtype tlspassword tlsuser',
    ),
  ],
  [
    'takes another way to the server. Remove it',
    wordsOf(
      `connect-to dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url haproxy-protocol interface local-port noproxy preproxy
      proxy proxy-header proxy-user proxytunnel resolve socks4 socks4a socks5 socks5-hostname unix-socket abstract-unix-socket`,
    ),
  ],
]

const LETTERS: Readonly<Record<string, string>> = {
  '#': 'progress-bar',
  '0': 'http1.0',
  '1': 'tlsv1',
  '4': 'ipv4',
  '6': 'ipv6',
  A: 'user-agent',
  b: 'cookie',
  c: 'cookie-jar',
  C: 'continue-at',
  d: 'data',
  D: 'dump-header',
  e: 'referer',
  E: 'cert',
  f: 'fail',
  F: 'form',
  g: 'globoff',
  G: 'get',
  H: 'header',
  i: 'include',
  I: 'head',
  j: 'junk-session-cookies',
  J: 'remote-header-name',
  k: 'insecure',
  K: 'config',
  L: 'location',
  m: 'max-time',
  n: 'netrc',
  N: 'no-buffer',
  o: 'output',
  O: 'remote-name',
  q: 'disable',
  r: 'range',
  R: 'remote-time',
  s: 'silent',
  S: 'show-error',
  T: 'upload-file',
  u: 'user',
  U: 'proxy-user',
  v: 'verbose',
  w: 'write-out',
  x: 'proxy',
  X: 'request',
  y: 'speed-time',
  Y: 'speed-limit',
  z: 'time-cond',
  Z: 'parallel',
}
