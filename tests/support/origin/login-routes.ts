import type { Reply } from './http-server.ts'
import type { OriginRequest } from './read-requests.ts'
import type { Route } from './route.ts'

/** What these sources take. Each secret contains `s3cret`, so that a test can look for it. */
export const LOGINS = {
  username: 'maria',
  password: 'pw-s3cret',
  session: 'session-s3cret',
  token: 'token-s3cret',
  apiKey: 'key-s3cret',
  sharePassword: 'share-s3cret',
  shareCookie: 'cookie-s3cret',
} as const

/** Sources that want a login, as people meet them. Each file has its path as its text. */
export const loginRoutes: Readonly<Record<string, Route>> = {
  /** `/members/NAME`: after signing in by a form, by a cookie; others are sent to that form. */
  members: (request) =>
    cookieOf(request, 'session') === LOGINS.session
      ? file(request)
      : redirect(302, `/sign-in?next=${encodeURIComponent(request.target)}`),
  'sign-in': ({ method, query, body }) => {
    const form = new URLSearchParams(body)
    if (method !== 'POST') return page(200, SIGN_IN_FORM)
    if (form.get('user') !== LOGINS.username || form.get('password') !== LOGINS.password)
      return page(200, SIGN_IN_FORM)
    return redirect(
      303,
      query.get('next') ?? '/',
      `session=${LOGINS.session}; Path=/; HttpOnly; SameSite=Lax`,
    )
  },
  /** RFC 7617. */
  basic: (request) =>
    request.headers.get('authorization') === `Basic ${btoa(`${LOGINS.username}:${LOGINS.password}`)}`
      ? file(request)
      : refusal('Basic realm="files"'),
  /** RFC 6750. */
  bearer: (request) =>
    request.headers.get('authorization') === `Bearer ${LOGINS.token}` ? file(request) : refusal('Bearer'),
  'api-key': (request) =>
    request.headers.get('x-api-key') === LOGINS.apiKey ? file(request) : page(403, '<p>Which key?</p>'),
  /** `/share/TOKEN/download/NAME`: a link with a password, as of Nextcloud. Its cookie is for that link alone. */
  share: (request) => {
    const [, , token = '', what] = request.path.split('/')
    if (what === 'authenticate' && request.method === 'POST') {
      const isRight = new URLSearchParams(request.body).get('password') === LOGINS.sharePassword
      return isRight
        ? redirect(
            303,
            `/share/${token}/download/report.pdf`,
            `share=${LOGINS.shareCookie}; Path=/share/${token}`,
          )
        : page(200, SHARE_FORM)
    }
    if (what === 'authenticate') return page(200, SHARE_FORM)
    return cookieOf(request, 'share') === LOGINS.shareCookie
      ? file(request)
      : redirect(303, `/share/${token}/authenticate`)
  },
}

function file({ path }: OriginRequest): Reply {
  const body = new TextEncoder().encode(path)
  return {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Length': String(body.length),
      'Content-Disposition': 'attachment',
    },
    body: [body],
  }
}

function page(status: number, markup: string): Reply {
  const body = new TextEncoder().encode(`<!doctype html><title>Sign in</title>${markup}`)
  return {
    status,
    headers: { 'Content-Type': 'text/html', 'Content-Length': String(body.length) },
    body: [body],
  }
}

function refusal(challenge: string): Reply {
  return { status: 401, headers: { 'WWW-Authenticate': challenge, 'Content-Length': '0' } }
}

function redirect(status: number, location: string, setCookie?: string): Reply {
  return {
    status,
    headers: { Location: location, 'Content-Length': '0' },
    ...(setCookie !== undefined && { repeatedHeaders: [['Set-Cookie', setCookie]] }),
  }
}

function cookieOf({ headers }: OriginRequest, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split('; ').map((pair) => pair.split('='))
  return pairs.find(([key]) => key === name)?.[1]
}

const SIGN_IN_FORM =
  '<form method="post"><input name="user" aria-label="User"><input name="password" type="password" aria-label="Password"><button>Sign in</button></form>'
const SHARE_FORM =
  '<form method="post"><input name="password" type="password" aria-label="Password"><button>Open</button></form>'
