import type { Log, LogFields } from './log.ts'

/** Logs the failures of something that is tried repeatedly: the first one, each new reason, and the first success after. */
export interface FailureLog {
  noteError(error: unknown, fields?: LogFields): void
  noteSuccess(): void
}

/** @param failure the message to log, for example `the sweep of expired archives failed` */
export function openFailureLog(log: Log, failure: string): FailureLog {
  let lastReason: string | null = null
  return {
    noteError(error, fields = {}) {
      const reason = String(error)
      if (reason !== lastReason) log.error(failure, { ...fields, error })
      lastReason = reason
    },
    noteSuccess() {
      if (lastReason !== null) log.info(`no longer: ${failure}`)
      lastReason = null
    },
  }
}
