import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { formatCount } from '../base/format.ts'
import { entriesCopy } from '../language/english/entries.ts'
import type { UrlProblem } from '../links/link.ts'

/** Says in a few words why a text is not a URL that can be fetched. */
export function urlProblemText(problem: UrlProblem): string {
  const copy = entriesCopy.urlProblems
  switch (problem.code) {
    case 'TOO_LONG':
      return copy.TOO_LONG(formatCount(REQUEST_LIMITS.urlCharacters))
    case 'UNSUPPORTED_SCHEME':
      return copy.UNSUPPORTED_SCHEME(problem.scheme)
    default:
      return copy[problem.code]
  }
}
