import { UnreadableCredentials } from './unreadable.ts'

/** A user name and a password for one host, or for all that have none. */
export interface NetrcLogin {
  /** In lower case; null for `default`. */
  readonly host: string | null
  readonly username: string
  readonly password: string
}

/**
 * Reads a `.netrc`, as ftp, curl, wget and Git do (GNU Inetutils, section "The .netrc file"; curl also has quotation marks and
 * comments). A host without a user name or a password is left out. Of several for one host, the first one counts.
 * @throws UnreadableCredentials for a word that has no meaning there; the message has no part of the text
 */
export function readNetrc(text: string): NetrcLogin[] {
  const tokens = tokensOf(text)
  const entries: NetrcEntry[] = []
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    const keyword = token.isQuoted ? '' : token.text
    if (keyword === 'default') {
      entries.push({ host: null })
      continue
    }
    const entry = entries.at(-1)
    const known = KEYWORDS.has(keyword)
    if (!known || (keyword !== 'machine' && entry === undefined))
      throw new UnreadableCredentials(
        `(line ${token.line}) is not a valid .netrc line. Put a password with spaces in quotes`,
      )
    const value = tokens.shift()?.text
    if (value === undefined) throw new UnreadableCredentials(`(line ${token.line}) ends after ${keyword}`)
    if (keyword === 'machine') entries.push({ host: value.toLowerCase() })
    else if (keyword === 'login' && entry !== undefined) entry.username ??= value
    else if (keyword === 'password' && entry !== undefined) entry.password ??= value
  }
  return entries.flatMap(({ host, username, password }) =>
    username === undefined || password === undefined ? [] : [{ host, username, password }],
  )
}

/** The login for a host name. */
export function netrcLoginFor(hostname: string, logins: readonly NetrcLogin[]): NetrcLogin | null {
  const key = hostname.toLowerCase()
  return logins.find(({ host }) => host === key) ?? logins.find(({ host }) => host === null) ?? null
}

interface NetrcEntry {
  readonly host: string | null
  username?: string
  password?: string
}

interface Token {
  readonly text: string
  readonly line: number
  readonly isQuoted: boolean
}

/** `account` is for FTP alone. */
const KEYWORDS = new Set(['machine', 'login', 'password', 'account'])

/** Words between white space. A value is never a comment: a password may begin with `#`. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let isValueNext = false
  let line = 1
  for (let rest = text; ; ) {
    const [all = '', space = '', quoted, plain = ''] = WORD.exec(rest) ?? []
    if (all.length === space.length) return tokens
    const skipped = isValueNext
      ? undefined
      : (plain.startsWith('#') ? COMMENT : MACRO).exec(rest.slice(space.length))?.[0]
    const read = skipped === undefined ? all : space + skipped
    line += space.split('\n').length - 1
    if (skipped === undefined) {
      tokens.push({
        text: quoted === undefined ? plain : unescaped(quoted),
        line,
        isQuoted: quoted !== undefined,
      })
      isValueNext = !isValueNext && KEYWORDS.has(plain)
    }
    line += read.slice(space.length).split('\n').length - 1
    rest = rest.slice(read.length)
  }
}

function unescaped(quoted: string): string {
  return quoted.replace(/\\([\s\S])/g, (_, letter: string) => ESCAPES[letter] ?? letter)
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
const WORD = /^(\s*)(?:"([^"\\]*(?:\\[\s\S][^"\\]*)*)"(?=\s|$)|(\S+))?/
const COMMENT = /^[^\n]*/
/** A macro ends at an empty line. */
const MACRO = /^macdef\s[\s\S]*?(?:\n[ \t]*\r?\n|$)/
