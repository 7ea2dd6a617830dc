import type { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import type { EntryWarning } from '../checkpoint/checkpoint.ts'

/** Names the saved login that a source has refused; null if it has refused none. */
export function loginWarning({ refusedLogin }: FetchFailure): EntryWarning | null {
  if (refusedLogin === null) return null
  return { code: 'LOGIN_REFUSED', message: `The saved login for ${refusedLogin.name} may have expired.` }
}
