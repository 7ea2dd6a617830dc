import type { Log, LogFields } from './log.ts'

/** Something that is tried again and again. The log tells when it begins to fail, when the reason changes, and its end. */
export interface LoggedTries {
  failed(error: unknown, fields?: LogFields): void
  worked(): void
}

/** @param failure what the log says when it fails, as in `the sweep of expired archives failed` */
export function logChanges(log: Log, failure: string): LoggedTries {
  let reason: string | null = null
  return {
    failed(error, fields = {}) {
      const now = String(error)
      if (now !== reason) log.error(failure, { ...fields, error })
      reason = now
    },
    worked() {
      if (reason !== null) log.info(`no longer: ${failure}`)
      reason = null
    },
  }
}
