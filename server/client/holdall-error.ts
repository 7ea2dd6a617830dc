import type { ErrorCode, Issue } from '../errors.ts'
import type { ErrorEnvelope } from '../http/schemas.ts'

/**
 * The codes of the service (see its API reference), and three of the client: `UNREACHABLE` when the connection fails or
 * breaks, `UNREADABLE` when the response is not one of Holdall's (a proxy's error page, for example), and `NO_ARCHIVE` when
 * a job has nothing to download.
 */
export type HoldallErrorCode = ErrorCode | 'UNREACHABLE' | 'UNREADABLE' | 'NO_ARCHIVE'

/** The error that every function of the client throws. An aborted signal throws its own reason instead. */
export class HoldallError extends Error {
  override readonly name = 'HoldallError'
  readonly code: HoldallErrorCode
  /** The HTTP status, or null if there was no response. */
  readonly status: number | null
  /** All problems of an invalid request, up to 20. */
  readonly issues: readonly Issue[]
  /** How long the service asks clients to wait, or null. */
  readonly retryAfterSeconds: number | null

  constructor(code: HoldallErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.status = details.status ?? null
    this.issues = details.issues ?? []
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
  }
}

export interface ErrorDetails {
  readonly status?: number
  readonly issues?: readonly Issue[] | undefined
  readonly retryAfterSeconds?: number | null
  readonly cause?: unknown
}

/** Reads the error of a response that is not `ok`. */
export async function errorOf(response: Response): Promise<HoldallError> {
  const { status } = response
  const retryAfterSeconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10) || null
  try {
    const { error }: ErrorEnvelope = JSON.parse(await response.text())
    return new HoldallError(error.code, error.message, { status, issues: error.issues, retryAfterSeconds })
  } catch (cause) {
    return unreadable(status, cause)
  }
}

/** The error for a response that is not Holdall's. */
export function unreadable(status: number, cause: unknown): HoldallError {
  return new HoldallError('UNREADABLE', `The response is not one of Holdall’s (HTTP ${status}).`, {
    status,
    cause,
  })
}

/** The error for a connection that failed or broke. */
export function unreachable(cause?: unknown): HoldallError {
  return new HoldallError('UNREACHABLE', 'Holdall can’t be reached, or the connection broke.', { cause })
}
