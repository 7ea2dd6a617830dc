import { basicAuthorization } from '../../../server/text/basic-authorization.ts'
import type { SiteSettings } from '../api/types.ts'
import { sitesCopy } from '../language/english/sites.ts'

/** How a person enters a header. */
export type HeaderKind = 'password' | 'token' | 'cookie' | 'other'

export const HEADER_KINDS = [
  { value: 'password', label: sitesCopy.logins.kinds.password },
  { value: 'token', label: sitesCopy.logins.kinds.token },
  { value: 'cookie', label: sitesCopy.logins.kinds.cookie },
  { value: 'other', label: sitesCopy.logins.kinds.other },
] as const satisfies readonly { value: HeaderKind; label: string }[]

/** A header while it is entered. `name` is the user name, or that of another header; a token and a cookie have none. */
export interface LoginDraft {
  kind: HeaderKind
  name: string
  value: string
}

export const EMPTY_LOGIN: LoginDraft = { kind: 'password', name: '', value: '' }

/** The header that a person has entered. Also takes a token or a cookie that was copied with the beginning of its header. */
export function headerOf({ kind, name, value }: LoginDraft): SiteSettings['headers'][number] {
  switch (kind) {
    case 'password':
      return { name: 'Authorization', value: basicAuthorization(name, value) }
    case 'token':
      return {
        name: 'Authorization',
        value: `Bearer ${value.trim().replace(/^(?:authorization:\s*)?(?:bearer\s+)?/i, '')}`,
      }
    case 'cookie':
      return { name: 'Cookie', value: value.trim().replace(/^cookie:\s*/i, '') }
    case 'other':
      return { name: name.trim(), value: value.trim() }
  }
}

/** The origin of what a person has entered: an address of a page or a file will do, also without `https://`. */
export function originOf(text: string): string {
  const trimmed = text.trim()
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`)
  return url === null || url.origin === 'null' ? trimmed : url.origin
}
