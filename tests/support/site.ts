/** A small web site: its pages by path. A text is HTML. */
export interface Site extends AsyncDisposable {
  url(path: string): string
  add(path: string, page: Page): void
}

/** A body with its media type. */
export type Page = string | { readonly body: string | Uint8Array<ArrayBuffer>; readonly type: string }

export function startSite(pages: Readonly<Record<string, Page>>): Site {
  const byPath = new Map(Object.entries(pages))
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const page = byPath.get(new URL(request.url).pathname)
      if (page === undefined) return new Response('not here', { status: 404 })
      const { body, type } =
        typeof page === 'string' ? { body: page, type: 'text/html; charset=utf-8' } : page
      return new Response(body, { headers: { 'content-type': type } })
    },
  })
  return {
    url: (path) => new URL(path, server.url).href,
    add: (path, page) => void byPath.set(path, page),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
