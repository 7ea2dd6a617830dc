import type { Reply } from './http-server.ts'
import type { Route } from './route.ts'

/** Sources behind redirects that need more than the next URL. */
export const redirectRoutes: Readonly<Record<string, Route>> = {
  /** `?to=/x`: the Location in UTF-8, as raw bytes. */
  'raw-utf8-location': ({ query }) => redirect(Buffer.from(query.get('to') ?? '').toString('latin1')),
  /** `?to=/x`: the Location in Latin-1, as raw bytes. */
  'raw-latin1-location': ({ query }) => redirect(query.get('to') ?? ''),
  /** `?to=/x&cookie=a=b&cookie=c=d`: sets these cookies. */
  'set-cookies': ({ query }) => redirect(query.get('to') ?? '', query.getAll('cookie')),
  /** Sends whoever has no cookie `seen` to a page that sets it and leads back. */
  'cookie-wall': ({ target, headers }) => {
    if (/(?:^|; )seen=yes(?:;|$)/.test(headers.get('cookie') ?? '')) return text('The file\n')
    return redirect(`/set-cookies?${new URLSearchParams({ to: target, cookie: 'seen=yes; Path=/' })}`)
  },
  ok: () => text('ok\n'),
}

function redirect(location: string, cookies: readonly string[] = []): Reply {
  return {
    status: 302,
    headers: { Location: location, 'Content-Length': '0' },
    repeatedHeaders: cookies.map((cookie) => ['Set-Cookie', cookie]),
  }
}

function text(body: string): Reply {
  return {
    headers: { 'Content-Type': 'text/plain', 'Content-Length': String(body.length) },
    body: [Buffer.from(body)],
  }
}
