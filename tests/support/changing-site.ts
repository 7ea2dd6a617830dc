/** A web server on this machine whose files a test changes. Each has an ETag, and confirms it. */
export interface ChangingSite extends Disposable {
  url(path: string): string
  /** Sets the body of a path, or its status if it fails. */
  set(path: string, content: Content): void
  /** How many bytes of bodies were sent since the last call. */
  sentBytes(): number
}

type Content = string | number | (() => Response)

export function startChangingSite(): ChangingSite {
  const contents = new Map<string, Content>()
  let sent = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const content = contents.get(new URL(request.url).pathname) ?? 404
      if (typeof content === 'function') return content()
      if (typeof content === 'number') return new Response(null, { status: content })
      const etag = `"${Bun.hash(content).toString(36)}"`
      if (request.headers.get('if-none-match') === etag)
        return new Response(null, { status: 304, headers: { etag } })
      sent += content.length
      return new Response(content, { headers: { etag, 'content-type': 'application/octet-stream' } })
    },
  })
  return {
    url: (path) => `http://127.0.0.1:${server.port}${path}`,
    set: (path, content) => void contents.set(path, content),
    sentBytes() {
      const bytes = sent
      sent = 0
      return bytes
    },
    [Symbol.dispose]: () => void server.stop(true),
  }
}

/** A folder of its own of a site, with these files. */
export function newFolder(site: ChangingSite, files: Readonly<Record<string, string>>) {
  const name = crypto.randomUUID()
  for (const [file, content] of Object.entries(files)) site.set(`/${name}/${file}`, content)
  return {
    url: (file: string) => site.url(`/${name}/${file}`),
    set: (file: string, content: Content) => site.set(`/${name}/${file}`, content),
    urls: Object.keys(files).map((file) => site.url(`/${name}/${file}`)),
  }
}
