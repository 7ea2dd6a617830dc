import type { Log, LogLevel } from '../log.ts'

/** Gives each request an id, and tells in the log and to `onAnswered` how it was answered. */
export interface RequestLog {
  /** A request has come; gives its id, which its response carries as `X-Request-Id`. */
  begin(request: Request): string
  idOf(request: Request): string
  /** An error was made an answer with this status. */
  failed(request: Request, status: number): void
  /** The answer is on its way; `route` is the pattern that the path fits, never the path, which may hold a token. */
  end(request: Request, route: string | undefined, status: number): void
}

export interface Answered {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

export function openRequestLog(log: Log, onAnswered: (answered: Answered) => void): RequestLog {
  const requests = new WeakMap<Request, { readonly id: string; readonly sinceMs: number; status?: number }>()
  return {
    begin(request) {
      const known = requests.get(request)
      if (known !== undefined) return known.id
      const id = idFrom(request.headers.get('x-request-id')) ?? crypto.randomUUID()
      requests.set(request, { id, sinceMs: performance.now() })
      return id
    },
    idOf: (request) => requests.get(request)?.id ?? '',
    failed(request, status) {
      const known = requests.get(request)
      if (known !== undefined) known.status = status
    },
    end(request, route = UNKNOWN_ROUTE, status) {
      const known = requests.get(request)
      if (known === undefined) return
      requests.delete(request)
      const method = route === UNKNOWN_ROUTE ? UNKNOWN_METHOD : request.method
      const durationMs = Math.round((performance.now() - known.sinceMs) * 10) / 10
      const answered = { method, route, status: known.status ?? status, durationMs }
      onAnswered(answered)
      log[levelOf(answered.status)]('a request was answered', { request: known.id, ...answered })
    },
  }
}

/** 503 is a refusal: the request was right, and whatever is wrong with the machine is told where it is seen. */
function levelOf(status: number): LogLevel {
  if (status < 500) return 'debug'
  return status === 503 ? 'warn' : 'error'
}

/** What comes for no route: its method and path are the client's own words, of which there is no end. */
const UNKNOWN_ROUTE = 'none'
const UNKNOWN_METHOD = 'any'

/** A caller's own id, so that one search finds a request in its log and in ours: short and plain, else it is not taken. */
function idFrom(header: string | null): string | null {
  return header !== null && /^[\w.-]{1,64}$/.test(header) ? header : null
}
