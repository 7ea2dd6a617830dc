import { formatHostPort } from '../text/host-port.ts'
import { loadSocketLibrary } from './clients/client-sockets.ts'
import { keepDescriptorsFree } from './clients/keep-descriptors-free.ts'
import { PAUSE_SECONDS } from './downloads/routes.ts'
import { errorResponse, toServiceError } from './error-responses.ts'
import { RESPONSE_HEADERS } from './response-headers.ts'
import { openRoutes, type RoutesOptions } from './routes.ts'

/** A listening service. Disposing of it gives requests in progress five seconds to finish, then aborts them. */
export interface HttpService extends AsyncDisposable {
  readonly origin: string
  readonly port: number
}

export async function listen(options: RoutesOptions): Promise<HttpService> {
  const { log } = options
  const { app, streams, isTrustedProxy } = openRoutes(options)
  const { hostname, port } = options.settings.current.listen
  compileRoutesOnce(app)
  app.listen({
    hostname,
    port,
    // Otherwise, a second service could listen on this address, and each connection would reach one of the two.
    reusePort: false,
    // Otherwise, Bun's error page shows source code and paths, whatever NODE_ENV is.
    development: false,
    // Handles errors outside of routes and hooks, for example of a file that is being sent.
    error(error) {
      const id = crypto.randomUUID()
      return errorResponse(toServiceError(error, log, id), {
        ...RESPONSE_HEADERS,
        'x-request-id': id,
      })
    },
    // For paused downloads: Bun returns to this timeout whenever it sends a part of a response.
    idleTimeout: PAUSE_SECONDS,
    maxRequestBodySize: MAX_UNREAD_BODY_BYTES,
  })
  const { server } = app
  if (server?.port === undefined) throw new Error('the server does not listen')
  const library = loadSocketLibrary()
  const descriptors = keepDescriptorsFree(server, library, isTrustedProxy, (connections, most) =>
    log.warn(
      'one address has more connections than it may, and loses idle ones; if it is a proxy, name it with --trust-proxy',
      { connections, most },
    ),
  )
  return {
    port: server.port,
    origin: localOriginOf(hostname, server.port),
    async [Symbol.asyncDispose]() {
      descriptors[Symbol.dispose]()
      streams[Symbol.dispose]()
      const timer = setTimeout(() => server.stop(true), GRACE_MS)
      await server.stop(false)
      clearTimeout(timer)
      // Elysia reports a response, for the log and the metrics, in the turn after it was sent.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/**
 * Elysia compiles all routes again, and collects garbage, when its asynchronous plugins have been loaded. There are none, so that this
 * would only delay the first response.
 */
function compileRoutesOnce(app: object): void {
  Object.defineProperty(app, 'promisedModules', { value: new Promise(() => {}) })
}

/** If the server listens on all addresses, clients on the same machine reach it by the loopback address. */
function localOriginOf(hostname: string, port: number): string {
  const host = hostname === '0.0.0.0' || hostname === '::' ? 'localhost' : hostname
  return `http://${formatHostPort(host, port)}`
}

/** How long requests in progress may continue when the service stops; downloads resume with `Range`. */
const GRACE_MS = 5_000
/** No limit: Bun would refuse longer bodies without our error envelope. It does not buffer a body that no route reads. */
const MAX_UNREAD_BODY_BYTES = Number.MAX_SAFE_INTEGER
