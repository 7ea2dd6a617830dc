/** A small web server for the URLs of jobs: `/ok/NAME` is a file, `/slow` waits for `release`, other paths are 404. */
export interface Sources extends AsyncDisposable {
  url(path: string): string
  /** Answers all requests to `/slow`, also later ones. */
  release(): void
}

export function startSources(): Sources {
  const slow = Promise.withResolvers<void>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    routes: {
      '/ok/:name': (request) => new Response(`the file ${request.params.name}`),
      '/slow': async () => {
        await slow.promise
        return new Response('slow')
      },
    },
    fetch: () => new Response('not here', { status: 404 }),
  })
  return {
    url: (path) => new URL(path, server.url).href,
    release: slow.resolve,
    async [Symbol.asyncDispose]() {
      slow.resolve()
      await server.stop(true)
    },
  }
}
