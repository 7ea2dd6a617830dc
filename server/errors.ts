/**
 * The error that Holdall throws on purpose. Its code, for programs, is from a closed set. Its message is a sentence that
 * tells a person what to do, and never contains a path, a stack or a secret.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly issues: readonly Issue[]

  constructor(code: ErrorCode, message: string, issues: readonly Issue[] = [], options?: ErrorOptions) {
    super(message, options)
    this.name = 'ServiceError'
    this.code = code
    this.issues = issues
  }
}

/** The refusal of one field of a request. @param message what is wrong with it, without its name and the full stop */
export function invalidField(path: string, message: string): ServiceError {
  return new ServiceError('INVALID_REQUEST', `${path} ${message}.`, [{ path, message }])
}

/** The codes of the interface specification (section 7), and those that our decisions add. */
export const ERROR_CODES = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'PLAN_LIMIT_EXCEEDED',
  'QUOTA_EXCEEDED',
  'FORBIDDEN',
  'INVALID_TOKEN',
  'EXPIRED_TOKEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAGE_NOT_FETCHED',
  'RANGE_NOT_SATISFIABLE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/** One problem of a request. `path` names the field, for example `urls.3`; it is empty for the whole request. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/**
 * Thrown when the service, or a command, can't start with its files. The message is one line for the administrator: it names
 * the file, the problem, and the remedy.
 */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused'
}

/** Thrown when another service runs on the data directory. */
export class DataDirectoryInUse extends StartRefused {
  override readonly name = 'DataDirectoryInUse'
}
