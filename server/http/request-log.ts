import type { Log, LogLevel } from '../logging/log.ts'

/** Gives each request an id, and reports its response to the log and to `onCompleted`. */
export interface RequestLog {
  /** Call it when a request arrives. Returns its id, which its response carries as `X-Request-Id`. */
  begin(request: Request): string
  idOf(request: Request): string
  /** Call it when an error became a response with this status. */
  noteError(request: Request, status: number): void
  /** Call it when the response is being sent. `route` is the pattern and never the path, which may contain a token. */
  end(request: Request, route: string | undefined, status: number): void
}

export interface CompletedRequest {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

export function openRequestLog(log: Log, onCompleted: (request: CompletedRequest) => void): RequestLog {
  const requests = new WeakMap<Request, { readonly id: string; readonly sinceMs: number; status?: number }>()
  return {
    begin(request) {
      const known = requests.get(request)
      if (known !== undefined) return known.id
      const id = acceptedId(request.headers.get('x-request-id')) ?? crypto.randomUUID()
      requests.set(request, { id, sinceMs: performance.now() })
      return id
    },
    idOf: (request) => requests.get(request)?.id ?? '',
    noteError(request, status) {
      const known = requests.get(request)
      if (known !== undefined) known.status = status
    },
    end(request, route = UNKNOWN_ROUTE, status) {
      const known = requests.get(request)
      if (known === undefined) return
      requests.delete(request)
      const method = route === UNKNOWN_ROUTE ? UNKNOWN_METHOD : request.method
      const durationMs = Math.round((performance.now() - known.sinceMs) * 10) / 10
      const completed = { method, route, status: known.status ?? status, durationMs }
      onCompleted(completed)
      log[levelOf(completed.status)]('a request was answered', { request: known.id, ...completed })
    },
  }
}

/** 503 refuses a valid request. The part that notices a fault of the machine logs it as an error. */
function levelOf(status: number): LogLevel {
  if (status < 500) return 'debug'
  return status === 503 ? 'warn' : 'error'
}

/** For requests without a route: clients can send any number of different methods and paths. */
const UNKNOWN_ROUTE = 'none'
const UNKNOWN_METHOD = 'any'

/** Accepts a short and plain id from the client, so that one search finds the request in its log and in ours. */
function acceptedId(header: string | null): string | null {
  return header !== null && /^[\w.-]{1,64}$/.test(header) ? header : null
}
