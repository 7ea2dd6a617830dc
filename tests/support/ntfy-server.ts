/** A small ntfy server on this machine: it publishes to topics as https://docs.ntfy.sh/publish/ says. */
export interface NtfyServer extends AsyncDisposable {
  topicUrl(topic: string): string
  readonly published: readonly Published[]
  /** Resolves when this many messages were published, with all of them. */
  untilPublished(count: number): Promise<readonly Published[]>
  /** From now on, it answers each request with this status. */
  answer(status: number): void
}

/** As subscribers get it. */
export interface Published {
  readonly topic: string
  readonly title: string
  readonly message: string
  readonly click: string
  readonly tags: readonly string[]
  readonly priority: number
}

/** @param token without which it publishes nothing */
export function startNtfyServer(token?: string): NtfyServer {
  const published: Published[] = []
  let arrived = Promise.withResolvers<void>()
  let answered: number | null = null
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const topic = new URL(request.url).pathname.slice(1)
      if (answered !== null) return new Response(null, { status: answered })
      if (!/^(POST|PUT)$/.test(request.method) || !/^[-_A-Za-z0-9]{1,64}$/.test(topic))
        return Response.json({ code: 40401, http: 404, error: 'page not found' }, { status: 404 })
      if (token !== undefined && request.headers.get('authorization') !== `Bearer ${token}`)
        return Response.json({ code: 40301, http: 403, error: 'forbidden' }, { status: 403 })
      const header = (name: string) => decoded(request.headers.get(name) ?? '')
      const message = {
        topic,
        title: header('title'),
        message: await request.text(),
        click: header('click'),
        tags: header('tags').split(','),
        priority: Number(header('priority')),
      }
      published.push(message)
      arrived.resolve()
      arrived = Promise.withResolvers()
      return Response.json({ id: crypto.randomUUID(), event: 'message', ...message })
    },
  })
  return {
    topicUrl: (topic) => `http://127.0.0.1:${server.port}/${topic}`,
    published,
    async untilPublished(count) {
      while (published.length < count) await arrived.promise
      return published
    },
    answer(status) {
      answered = status
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true)
    },
  }
}

/** As Go's mime.WordDecoder: the space between two encoded words (RFC 2047 section 6.2) is dropped. */
function decoded(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, word: string) => Buffer.from(word, 'base64').toString())
}
