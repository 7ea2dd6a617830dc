import { setSystemTime } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import type { Certificate } from './test-certificates.ts'

/** A web server that receives webhook messages, on this machine. */
export interface Receiver extends AsyncDisposable {
  /** The address of its endpoint. */
  url(path?: string): string
  /** All requests so far, oldest first. */
  readonly received: readonly ReceivedMessage[]
  /** Resolves when this many requests have arrived, with all of them. */
  untilReceived(count: number): Promise<readonly ReceivedMessage[]>
  /** From now on, it responds like this. At first it responds 204. */
  respond(how: (message: ReceivedMessage) => Response | Promise<Response>): void
}

export interface ReceivedMessage {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** @param tls a certificate for `localhost`; without one, it speaks plain HTTP */
export function startReceiver(tls?: Certificate): Receiver {
  const received: ReceivedMessage[] = []
  const closing = Promise.withResolvers<Response>()
  let respond = (_message: ReceivedMessage): Response | Promise<Response> =>
    new Response(null, { status: 204 })
  let arrived = Promise.withResolvers<void>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    ...(tls === undefined ? {} : { tls }),
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const headers = Object.fromEntries(request.headers)
      const message = { method: request.method, path: pathname + search, headers, body: await request.text() }
      received.push(message)
      arrived.resolve()
      arrived = Promise.withResolvers()
      return await Promise.race([respond(message), closing.promise])
    },
  })
  return {
    url: (path = '/hook') =>
      `${tls === undefined ? 'http://127.0.0.1' : 'https://localhost'}:${server.port}${path}`,
    received,
    async untilReceived(count) {
      while (received.length < count) await arrived.promise
      return received
    },
    respond(how) {
      respond = how
    },
    async [Symbol.asyncDispose]() {
      closing.resolve(new Response(null, { status: 503 }))
      await server.stop(true)
    },
  }
}

/** The message id of a request. */
export function idOf(message: ReceivedMessage | undefined): string {
  return message?.headers['webhook-id'] ?? ''
}

/**
 * Verifies a message with the package of the Standard Webhooks project, at the time of its attempt. Throws when no signature
 * fits the secret. @returns the parsed body
 */
export function verified(
  message: ReceivedMessage | undefined,
  secret: string,
): ReturnType<typeof JSON.parse> {
  if (message === undefined) throw new Error('there is no message')
  const { body, headers } = message
  setSystemTime(new Date(Number(headers['webhook-timestamp']) * 1000))
  try {
    new Webhook(secret).verify(body, headers)
  } finally {
    setSystemTime()
  }
  return JSON.parse(body)
}
