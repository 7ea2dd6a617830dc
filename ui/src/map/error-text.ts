import type { FetchError } from '../api/types.ts'
import { type Message, translated } from '../base/message.ts'
import { entriesCopy } from '../language/english/entries.ts'

/** Why a link failed, as {@link errorText} says it. */
export function errorMessage(error: string): Message {
  return translated(errorText(error), error)
}

/**
 * Returns why a link failed, in plain words, with the HTTP status behind them if there is one. An unknown text, such as one of
 * a newer service, stays as it is.
 */
export function errorText(error: string): string {
  const status = /^HTTP (\d{3})$/.exec(error)?.[1]
  if (status !== undefined) return `${STATUS_TEXTS[status] ?? otherStatusText(status)} (${status})`
  const limit = /^ZIP size limit exceeded \((.+)\)$/.exec(error)?.[1]
  if (limit !== undefined) return entriesCopy.doesNotFit(limit)
  return isFetchError(error) ? ERROR_TEXTS[error] : error
}

function isFetchError(error: string): error is FetchError {
  return Object.hasOwn(ERROR_TEXTS, error)
}

function otherStatusText(status: string): string {
  return status.startsWith('5') ? entriesCopy.serverError : entriesCopy.notAvailable
}

const STATUS_TEXTS: Readonly<Record<string, string>> = entriesCopy.httpErrors

/** By the error of the service. The compiler requires each of them, and no other. */
const ERROR_TEXTS: Readonly<Record<FetchError, string>> = entriesCopy.errors
