import { formatHostPort } from '../text/host-port.ts'
import { isMailAddress } from '../text/mail-address.ts'

/** The server that mail is sent through, and the address that it comes from. */
export interface MailServer {
  /** A name, or an address without brackets. */
  readonly hostname: string
  readonly port: number
  /** Whether the connection begins with TLS (RFC 8314). Otherwise STARTTLS is used where the server offers it. */
  readonly isTls: boolean
  /** Null if the server asks for none. Secret. */
  readonly login: { readonly user: string; readonly pass: string } | null
  readonly from: string
}

/**
 * Reads `smtps://USER:PASSWORD@HOST:PORT?from=ADDRESS`. Without `from`, mail comes from the user if that is an address. Null if the
 * text is none, or says more than that.
 */
export function parseMailServer(text: string): MailServer | null {
  const url = URL.parse(text.trim())
  if (url === null || !/^smtps?:$/.test(url.protocol) || !/^\/?$/.test(url.pathname) || url.hash !== '')
    return null
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const isTls = url.protocol === 'smtps:'
  const port = url.port === '' ? (isTls ? 465 : 587) : Number(url.port)
  const user = decoded(url.username)
  const pass = decoded(url.password)
  const { from = user, ...others } = Object.fromEntries(url.searchParams)
  if (hostname === '' || port === 0 || user === null || pass === null || from === null) return null
  if ((user === '') !== (pass === '') || !isMailAddress(from) || Object.keys(others).length > 0) return null
  return { hostname, port, isTls, login: user === '' ? null : { user, pass }, from }
}

/** The server without its login, to be shown. */
export function mailServerAddress({ isTls, hostname, port }: MailServer): string {
  return `${isTls ? 'smtps' : 'smtp'}://${formatHostPort(hostname, port)}`
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
