import { ParseError, ValidationError } from 'elysia'
import { type ErrorCode, type Issue, ServiceError } from '../errors.ts'
import { type SystemFault, systemFault } from '../files/system-error.ts'
import type { Log } from '../logging/log.ts'
import { allowedMethods, type RoutePattern, requiredTarget } from './request-target.ts'
import type { ErrorEnvelope } from './schemas.ts'

/** The HTTP status of each code: those of the specification, section 7, and our own. */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  PLAN_LIMIT_EXCEEDED: 403,
  QUOTA_EXCEEDED: 403,
  FORBIDDEN: 403,
  INVALID_TOKEN: 403,
  EXPIRED_TOKEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  PAGE_NOT_FETCHED: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
}

/** The response for an error: the envelope, and the headers that its code requires. */
export function errorResponse(error: ServiceError, headers: Record<string, string> = {}): Response {
  const { code, message, issues } = error
  const body: ErrorEnvelope = {
    success: false,
    error: { code, message, ...(issues.length === 0 ? {} : { issues: [...issues] }) },
  }
  return Response.json(body, { status: STATUS_OF[code], headers: { ...HEADERS_OF[code], ...headers } })
}

/** For a path, or an id, that does not exist. */
export function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is nothing here.')
}

/** For a request that no route answers: the path does not exist, or it allows other methods. */
export function unknownRoute(routes: readonly RoutePattern[], request: Request): Response {
  const methods = allowedMethods(routes, requiredTarget(request).pathname).join(', ')
  if (methods === '') return errorResponse(new ServiceError('NOT_FOUND', UNKNOWN_PATH))
  return errorResponse(new ServiceError('METHOD_NOT_ALLOWED', `This path allows ${methods}.`), {
    allow: methods,
  })
}

const UNKNOWN_PATH = 'There is nothing here. The paths of the API are at /docs/reference.'

/** Headers of every response with this code. */
const HEADERS_OF: Readonly<Partial<Record<ErrorCode, Record<string, string>>>> = {
  UNAUTHORIZED: { 'www-authenticate': 'Bearer' },
  // For most causes, the client may try again after a short wait.
  UNAVAILABLE: { 'retry-after': '5' },
}

/** The error for the client. Unexpected errors are logged with the id of their request. The client gets only that id. */
export function toServiceError(error: unknown, log: Log, requestId = ''): ServiceError {
  if (error instanceof ServiceError) return error
  // Elysia wraps what is thrown before the body is parsed, by the authentication, too. Its own code would hide that of the system.
  if (error instanceof ParseError && error.cause !== undefined)
    return toServiceError(error.cause, log, requestId)
  if (error instanceof ValidationError && error.type !== 'response') return invalidRequest(error)
  log.error('a request failed', { error, ...(requestId === '' ? {} : { request: requestId }) })
  const fault = systemFault(error)
  if (fault !== null) return new ServiceError('UNAVAILABLE', FAULT_SENTENCES[fault])
  return new ServiceError(
    'INTERNAL_ERROR',
    `Something went wrong in Holdall. The log of the service says what${requestId === '' ? '' : ` for request ${requestId}`}.`,
  )
}

/** For a valid request, which succeeds when it is sent again after the machine has recovered. */
const FAULT_SENTENCES: Readonly<Record<SystemFault, string>> = {
  'disk-full': 'The disk of the service is full. Free some space on it, then try again.',
  'disk-unusable': 'The service cannot use its disk at the moment. Its log says why.',
  'database-busy': 'Another program holds the database of the service. Try again in a moment.',
}

/** More than a person would read. */
const MAX_ISSUES = 20

function invalidRequest(error: ValidationError): ServiceError {
  // An id that is not a UUID, or a path that cannot be decoded.
  if (error.type === 'params') return notFound()
  const issues = isMissingBody(error) ? [MISSING] : error.all.slice(0, MAX_ISSUES).map(toIssue)
  const [first] = issues
  if (first === undefined) return new ServiceError('INVALID_REQUEST', 'The request is not valid.')
  const where = first.path === '' ? `The ${error.type}` : first.path
  const others = error.all.length > 1 ? ` (and ${error.all.length - 1} more)` : ''
  return new ServiceError('INVALID_REQUEST', `${where} ${first.message}${others}.`, issues)
}

/** `null` counts as absent, for fields and for the whole body. */
function isMissingBody(error: ValidationError): boolean {
  return error.type === 'body' && error.value === null
}

const MISSING: Issue = { path: '', message: 'is needed' }

function toIssue(found: ValidationError['all'][number]): Issue {
  const path = 'path' in found && typeof found.path === 'string' ? found.path : ''
  const message = 'message' in found && typeof found.message === 'string' ? found.message : 'is not valid'
  // Elysia's name for the whole body.
  return { path: path === 'root' ? '' : path, message }
}
