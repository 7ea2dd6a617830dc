import { gzipSync } from 'node:zlib'
import type { Reply } from './http-server.ts'
import type { OriginRequest } from './read-requests.ts'
import type { Route } from './route.ts'

/** Sources that send something else than the file that their URL names. */
export const pageRoutes: Readonly<Record<string, Route>> = {
  /**
   * `/page/<name>`: a page, as 404 pages with status 200 are. `type` is its Content-Type (`text/html` if absent), `coding=gzip` encodes
   * it, `framing`, `disposition`, `size` (fills it up). With `stall=half` or `cut=half` the first response breaks off; the rest can be
   * had by range. `fixed_at`: from this request on, the source sends a file.
   */
  page: ({ query, headers }, count) => {
    if (count >= Number(query.get('fixed_at') ?? Infinity)) return reply(Buffer.from('%PDF-1.4\n'), query)
    return reply(page('Not found', '<p>There is nothing here.</p>', query), query, headers, count)
  },
  /** `/sign-in-form/<name>`: a page with a field for a password, wherever it is. */
  'sign-in-form': ({ query }) => reply(page('Welcome', FORM, query), query),
  /** `/behind-sign-in/<name>`: leads to the sign-in page, with the way back and a secret in its query. */
  'behind-sign-in': ({ target }) => ({
    status: 302,
    headers: {
      Location: `/login?${new URLSearchParams({ to: target, ticket: 'TICKET' })}`,
      'Content-Length': '0',
    },
  }),
  login: ({ query }) => reply(page('Example', '<p>Who are you?</p>', query), query),
  /** `/empty/<name>`: no bytes. `framing`, `type` as above. */
  empty: ({ query }) => reply(Buffer.alloc(0), query),
  /** `/text/<name>?body=`: this text. `type` as above. */
  text: ({ query }) => reply(Buffer.from(query.get('body') ?? ''), query),
}

const FORM = '<form method="post"><input name="user"><input name="secret" type="password"></form>'

function page(title: string, content: string, query: URLSearchParams): Buffer {
  const html = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body>${content}</body></html>\n`
  return Buffer.from(html.padEnd(Number(query.get('size') ?? 0), ' '))
}

function reply(body: Buffer, query: URLSearchParams, headers?: OriginRequest['headers'], count = 1): Reply {
  const coding = query.get('coding')
  const sent = coding === 'gzip' ? gzipSync(body) : body
  const framing = query.get('framing') === 'chunked' ? 'chunked' : 'length'
  const disposition = query.get('disposition')
  const common = {
    'Content-Type': query.get('type') ?? 'text/html; charset=utf-8',
    ETag: '"page"',
    ...(disposition !== null && { 'Content-Disposition': disposition }),
    ...(coding !== null && { 'Content-Encoding': coding }),
  }
  const [, start] = /^bytes=(\d+)-$/.exec(headers?.get('range') ?? '') ?? []
  if (start !== undefined) {
    const rest = sent.subarray(Number(start))
    const range = `bytes ${start}-${sent.length - 1}/${sent.length}`
    const length = String(rest.length)
    return {
      status: 206,
      headers: { ...common, 'Content-Length': length, 'Content-Range': range },
      body: [rest],
    }
  }
  const length = framing === 'length' ? { 'Content-Length': String(sent.length) } : {}
  const ending = count > 1 ? 'whole' : query.has('stall') ? 'stall' : query.has('cut') ? 'cut' : 'whole'
  const part = ending === 'whole' ? sent : sent.subarray(0, sent.length / 2)
  return { headers: { ...common, ...length }, framing, body: [part], ending }
}
