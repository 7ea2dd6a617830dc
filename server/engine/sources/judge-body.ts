import { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import { nameInHead } from '../../fetching/content/content-disposition.ts'
import type { SourceResponse } from '../../fetching/response.ts'
import type { SourceUrl } from '../../fetching/source-url.ts'
import { type BodyBeginning, bodyWarning } from '../bodies/body-warning.ts'
import type { IncomingBody } from '../bodies/incoming-body.ts'
import type { FileWarning } from '../checkpoint/checkpoint.ts'
import type { SourceToPack } from '../job-order.ts'
import type { CopyingFromBase } from './copy-from-base.ts'

/** A body that has arrived as a whole, and what brought it. */
export interface WholeBody {
  readonly source: SourceToPack
  readonly submitted: SourceUrl
  readonly response: SourceResponse
  readonly incoming: IncomingBody
  readonly beginning: BodyBeginning
}

/**
 * The warning of the file that a body becomes; null when nothing looks wrong with it.
 * @throws FetchFailure when the job does not take a file with that warning
 */
export function judgeBody(
  { failOnWarning, base }: Pick<CopyingFromBase, 'failOnWarning' | 'base'>,
  { source, submitted, response: { headers, url }, incoming, beginning }: WholeBody,
): FileWarning | null {
  const warning = bodyWarning({
    filename: source.filename,
    entryName: incoming.facts.name,
    submitted,
    final: url,
    headerName: nameInHead(headers),
    contentType: headers.get('content-type'),
    beginning: beginning.bytes,
    sizeBytes: incoming.receivedBytes,
  })
  if (warning !== null && (failOnWarning || hasBetter(base, source, warning)))
    throw new FetchFailure(WARNING_FAILURES[warning.code])
  return warning
}

/** Whether the base has the file in place of which the source sends a page now, and the job keeps such files. */
function hasBetter(
  base: CopyingFromBase['base'],
  { base: entry }: SourceToPack,
  { code }: FileWarning,
): boolean {
  if (base === null || base.keepFrom === null) return false
  return code === 'HTML_INSTEAD' && entry !== undefined && entry.warning === null
}

/** The failures in place of the warnings. */
const WARNING_FAILURES = { HTML_INSTEAD: 'Unexpected HTML', EMPTY: 'Empty file' } as const
