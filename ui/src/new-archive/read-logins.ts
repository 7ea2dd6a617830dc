import { readCookiesTxt } from '../../../server/credentials/cookies-txt.ts'
import { type CurlCommand, readCurlCommands } from '../../../server/credentials/curl-commands.ts'
import type { LoginKind } from '../../../server/credentials/login-kind.ts'
import { type NetrcLogin, netrcLoginFor, readNetrc } from '../../../server/credentials/netrc.ts'
import { type Cookie, joinCookies } from '../../../server/fetching/headers/cookies.ts'
import { SavedCookies } from '../../../server/fetching/headers/saved-cookies.ts'
import { type SourceUrl, splitUrl } from '../../../server/fetching/source-url.ts'
import { basicAuthorization } from '../../../server/text/basic-authorization.ts'
import type { Link } from '../links/link.ts'

/** What was pasted or dropped until now. */
export interface PastedLogins {
  readonly commands: readonly CurlCommand[]
  readonly cookies: readonly Cookie[]
  readonly netrc: readonly NetrcLogin[]
}

/** The headers of an origin, each name once. Its values are never shown. */
export interface FoundLogin {
  readonly origin: string
  /** Whether a header may be a login, and not only says what browser it is and on which page the link was. */
  readonly isLogin: boolean
  readonly headers: readonly { readonly name: string; readonly value: string }[]
}

/** @throws an error with the rest of a sentence about the text, such as "has no URL" */
export function readLogins(text: string, kind: LoginKind): Partial<PastedLogins> {
  if (kind === 'curl') return { commands: readCurlCommands(text) }
  return kind === 'netrc' ? { netrc: readNetrc(text) } : { cookies: readCookiesTxt(text) }
}

/**
 * The logins for the origins of these links. For one header, a copied command goes before a .netrc, and a later command before an
 * earlier one; cookies of a file join those of a command.
 */
export function loginsForLinks(links: readonly Link[], given: PastedLogins, nowMs: number): FoundLogin[] {
  const cookies = new SavedCookies(given.cookies)
  const found = new Map<string, Map<string, FoundLogin['headers'][number]>>()
  for (const { url: text } of links) {
    const url = sourceUrlOf(text)
    if (url === null) continue
    const origin = `${url.scheme}://${url.host}`
    const headers = found.get(origin) ?? new Map()
    found.set(origin, headers)
    // A cookie may be for the path of one link alone.
    const saved = joinCookies(headers.get('cookie')?.value ?? null, cookies.headerFor(url, nowMs))
    if (saved !== null) headers.set('cookie', { name: 'Cookie', value: saved })
    const login = netrcLoginFor(url.hostname.replace(/^\[|\]$/g, ''), given.netrc)
    if (login !== null) {
      const value = basicAuthorization(login.username, login.password)
      headers.set('authorization', { name: 'Authorization', value })
    }
  }
  for (const command of given.commands) {
    for (const url of command.urls) {
      const headers = found.get(URL.parse(url)?.origin ?? '')
      for (const header of command.headers.filter(({ name }) => !EVERYDAY.test(name))) {
        const key = header.name.toLowerCase()
        const cookie = key === 'cookie' ? joinCookies(headers?.get(key)?.value ?? null, header.value) : null
        headers?.set(key, { name: header.name, value: cookie ?? header.value })
      }
    }
  }
  return [...found].flatMap(([origin, headers]) =>
    headers.size === 0
      ? []
      : [
          {
            origin,
            isLogin: [...headers.values()].some(isLogin),
            headers: [...headers.values()].toSorted(loginsFirst),
          },
        ],
  )
}

function isLogin({ name }: { readonly name: string }): boolean {
  return !/^(?:user-agent|referer)$/i.test(name)
}

function loginsFirst(one: { readonly name: string }, other: { readonly name: string }): number {
  return Number(isLogin(other)) - Number(isLogin(one))
}

function sourceUrlOf(text: string): SourceUrl | null {
  const url = URL.parse(text)
  return url === null ? null : splitUrl(url)
}

/** Browsers send them with every request, and no source needs them. */
const EVERYDAY =
  /^(?:accept|accept-charset|accept-language|authority|cache-control|dnt|origin|pragma|priority|purpose|upgrade-insecure-requests|sec-.*)$/i
