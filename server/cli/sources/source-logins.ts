import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../config/config.ts'
import { readCookiesTxt } from '../../credentials/cookies-txt.ts'
import { type CurlCommand, readCurlCommands } from '../../credentials/curl-commands.ts'
import { type NetrcLogin, netrcLoginFor, readNetrc } from '../../credentials/netrc.ts'
import { UnreadableCredentials } from '../../credentials/unreadable.ts'
import type { SourcesInMemory } from '../../engine/job-order.ts'
import { type Header, headerNameIssue, headerValueIssue } from '../../fetching/headers/allowed-headers.ts'
import type { Cookie } from '../../fetching/headers/cookies.ts'
import { type OriginRule, type OriginRules, parseOrigin } from '../../fetching/headers/origin-headers.ts'
import { parseAuthority } from '../../fetching/parse-authority.ts'
import { basicAuthorization } from '../../text/basic-authorization.ts'
import { UsageError } from '../command.ts'
import { readTextFile } from './text-file.ts'

/** What `holdall zip` and `holdall links` send to their sources beside the request itself. */
export interface SourceLogins {
  readonly originRules: OriginRules
  readonly cookies: readonly Cookie[]
}

/** What the flags of logins hold, before it is known which sources there are. */
export interface GivenLogins {
  readonly commands: readonly CurlCommand[]
  readonly headers: readonly Header[]
  readonly cookies: readonly Cookie[]
  readonly netrc: readonly NetrcLogin[]
}

export const LOGIN_FLAGS = ['header', 'cookies', 'netrc-file', 'curl'] as const
export const LOGIN_HELP = `Logins for holdall zip and holdall links:
  -H, --header 'NAME: VALUE' sent to the origins of the given URLs alone; @FILE reads one per line
  --cookies FILE             cookies of a browser (cookies.txt), each sent according to its domain, path, Secure flag and expiry date
  --netrc                    user names and passwords of .netrc in the home directory
  --netrc-file FILE          those of another file
  --curl FILE                copied curl commands: takes their URLs, each with its own headers
  Other users of this machine can see a value on the command line, and not what is in a FILE. - is standard input.`

/**
 * Reads what the flags name.
 * @param lists all values of each flag
 * @throws UsageError without any part of a secret
 */
export function readGivenLogins(
  lists: Readonly<Record<string, readonly string[]>>,
  usesNetrc: boolean,
  env: Environment,
): GivenLogins {
  const { header = [], cookies = [], curl = [], 'netrc-file': netrcFiles = [] } = lists
  const netrc = usesNetrc && netrcFiles.length === 0 ? [['--netrc', netrcPath(env)] as const] : []
  return {
    headers: readHeaders(header),
    cookies: cookies.flatMap((path) => readAs('--cookies', path, readCookiesTxt)),
    netrc: [...netrc, ...netrcFiles.map((path) => ['--netrc-file', path] as const)].flatMap(([flag, path]) =>
      readAs(flag, path, readNetrc),
    ),
    commands: curl.flatMap((path) => readAs('--curl', path, readCurlCommands)),
  }
}

/** Which source gets what. A copied command goes before `-H`, since it is for its own URL, and `-H` before a .netrc. */
export function loginsFor(sources: SourcesInMemory, given: GivenLogins): SourceLogins {
  const { headers, netrc, cookies, commands } = given
  // The list may be long, and its origins are needed for these alone.
  const origins = headers.length > 0 || netrc.length > 0 ? originsOf(sources) : new Map<string, string>()
  return {
    originRules: [
      commands.flatMap((command) => command.urls.flatMap((url) => ruleOfSource(url, command.headers))),
      headers.length === 0 ? [] : [...origins.keys()].map((origin) => ruleOf(origin, headers)),
      netrcRules(origins, netrc),
    ],
    cookies,
  }
}

/** The remedy when a source answers 401 or 403. */
export function refusedAccess({ originRules, cookies }: SourceLogins): string {
  const hasLogins = cookies.length > 0 || originRules.some((group) => group.length > 0)
  return hasLogins
    ? 'The login may have expired, or be for another address.'
    : 'To sign in, use -H, --cookies, --netrc or --curl: see holdall --help.'
}

/** Standard input can be read once. */
export function assertOneInput(lists: Readonly<Record<string, readonly string[]>>): void {
  const fromInput = Object.entries(lists).flatMap(([flag, values]) =>
    values.filter((value) => (flag === 'header' ? value === '@-' : value === '-' && flag !== 'output')),
  )
  if (fromInput.length > 1) throw new UsageError('Expected - (standard input) once.')
}

function ruleOf(origin: string, headers: readonly Header[]): OriginRule {
  return { origin, includeSubdomains: false, headers, login: null }
}

function ruleOfSource(url: string, headers: readonly Header[]): OriginRule[] {
  const origin = originOf(url)
  return origin === null || headers.length === 0 ? [] : [{ ...ruleOf(origin.origin, headers), source: url }]
}

/**
 * A .netrc names hosts, without scheme and port. Its logins go to the origins of the list, and to hosts that a redirect leads to, such as
 * a sign-in service: only by https and at its own port, so that nobody can redirect them into the open. `default` is for the list alone.
 */
function netrcRules(origins: ReadonlyMap<string, string>, logins: readonly NetrcLogin[]): OriginRule[] {
  const rules = new Map<string, OriginRule>()
  const add = (origin: string, login: NetrcLogin | null) => {
    if (login === null || rules.has(origin)) return
    const value = basicAuthorization(login.username, login.password)
    rules.set(origin, ruleOf(origin, [{ name: 'Authorization', value }]))
  }
  for (const [origin, hostname] of origins) add(origin, netrcLoginFor(hostname, logins))
  for (const login of logins) {
    const origin = login.host === null ? null : parseOrigin(`https://${login.host}`)
    if (origin !== null) add(origin, login)
  }
  return [...rules.values()]
}

/** The origins of the sources, each with its host name. */
function originsOf(sources: SourcesInMemory): Map<string, string> {
  const origins = new Map<string, string>()
  for (const { url } of sources.slice(0, sources.length)) {
    const found = originOf(url)
    if (found !== null) origins.set(found.origin, found.hostname)
  }
  return origins
}

function originOf(url: string): { origin: string; hostname: string } | null {
  const authority = parseAuthority(url)
  if (authority === null) return null
  const { scheme, host, hostname } = authority
  return { origin: `${scheme}://${host}`, hostname: hostname.replace(/^\[|\]$/g, '') }
}

function readHeaders(texts: readonly string[]): Header[] {
  const lines = texts.flatMap((text) =>
    text.startsWith('@')
      ? readTextFile('-H', text.slice(1))
          .split(/\r\n|\n|\r/)
          .filter((line) => line.trim() !== '')
      : [text],
  )
  const headers = lines.map(readHeader)
  const names = headers.map(({ name }) => name.toLowerCase())
  const repeated = headers.find((_, index) => names.indexOf(names[index] ?? '') < index)
  if (repeated !== undefined) throw new UsageError(`-H: expected ${repeated.name} once`)
  return headers
}

/** RFC 9112 section 5: `Name: value`. */
function readHeader(text: string): Header {
  const [, name = '', value = ''] = /^([^:]*):(.*)$/s.exec(text) ?? []
  const header = { name: name.trim(), value: value.trim() }
  if (header.name === '' || header.value === '')
    throw new UsageError("-H: expected 'Name: value', or @FILE with one per line")
  const nameIssue = headerNameIssue(header.name)
  if (nameIssue !== null) throw new UsageError(`-H: the name ${nameIssue}`)
  const valueIssue = headerValueIssue(header.value)
  if (valueIssue !== null) throw new UsageError(`-H: the value of ${header.name} ${valueIssue}`)
  return header
}

/** @throws UsageError that begins with the flag */
function readAs<T>(flag: string, path: string, read: (text: string) => T): T {
  const text = readTextFile(flag, path)
  try {
    return read(text)
  } catch (error) {
    if (error instanceof UnreadableCredentials) throw new UsageError(`${flag}: the file ${error.message}.`)
    throw error
  }
}

/** As curl: the file that NETRC names, or `.netrc`, or `_netrc`, in the home directory. */
function netrcPath({ NETRC, HOME, USERPROFILE }: Environment): string {
  if (NETRC !== undefined && NETRC !== '') return NETRC
  const home = HOME ?? USERPROFILE ?? homedir()
  const path = ['.netrc', '_netrc'].map((name) => join(home, name)).find((each) => existsSync(each))
  if (path === undefined)
    throw new UsageError(
      '--netrc: there is no .netrc in the home directory. Name another file with --netrc-file.',
    )
  return path
}
