/**
 * A small web server for the URLs of jobs: `/ok/NAME` is a file, `/ok/page.html` a page, `/slow` waits for `release`, `/song/NAME` sends 9
 * MB slowly until `release`, other paths are 404.
 */
export interface Sources extends AsyncDisposable {
  url(path: string): string
  /** Answers all slow requests, also later ones. */
  release(): void
}

export function startSources(): Sources {
  const slow = Promise.withResolvers<void>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    routes: {
      '/ok/page.html': () => new Response('<a href="/ok/file">the file</a>', HTML),
      '/ok/:name': (request) => new Response(`the file ${request.params.name}`),
      '/song/:name': () =>
        new Response(song(slow.promise), { headers: { 'content-length': `${SONG_BYTES}` } }),
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

/** Sends 100 kB per second, and the rest at once after `released`. */
function song(released: Promise<void>): ReadableStream<Uint8Array> {
  let sentBytes = 0
  let isReleased = false
  void released.then(() => {
    isReleased = true
  })
  return new ReadableStream({
    async pull(controller) {
      if (!isReleased) await Promise.race([Bun.sleep(SONG_CHUNK_MS), released])
      const bytes = new Uint8Array(
        isReleased ? SONG_BYTES - sentBytes : Math.min(SONG_CHUNK_BYTES, SONG_BYTES - sentBytes),
      )
      controller.enqueue(bytes)
      sentBytes += bytes.length
      if (sentBytes === SONG_BYTES) controller.close()
    },
  })
}

const SONG_BYTES = 9_000_000
const SONG_CHUNK_BYTES = 10_000
const SONG_CHUNK_MS = 100

const HTML = { headers: { 'content-type': 'text/html' } }
