/** The web server of the sources: a PDF, a CSV file, and a page with links to both. `/film.mp4` never arrives. */
export interface ExampleSite extends AsyncDisposable {
  readonly origin: string
}

export function startExampleSite(): ExampleSite {
  const closing = Promise.withResolvers<Response>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    routes: {
      '/report.pdf': () =>
        file(`%PDF-1.7\n${'The report. '.repeat(200)}\n%%EOF\n`, 'application/pdf', '"v7"'),
      '/prices.csv': () => file(`name,price\n${'tea,3.20\n'.repeat(100)}`, 'text/csv', '"v2"'),
      '/reports/': () => file(PAGE, 'text/html; charset=utf-8', '"v1"'),
      '/film.mp4': () => closing.promise,
    },
    fetch: () => new Response('not here', { status: 404 }),
  })
  return {
    origin: server.url.origin,
    async [Symbol.asyncDispose]() {
      closing.resolve(new Response())
      await server.stop(true)
    },
  }
}

function file(body: string, type: string, etag: string): Response {
  return new Response(body, {
    headers: { 'content-type': type, etag, 'last-modified': 'Mon, 02 Mar 2026 08:00:00 GMT' },
  })
}

const PAGE = '<title>Reports</title><a href="/report.pdf">The report</a> <a href="/prices.csv">Prices</a>'
