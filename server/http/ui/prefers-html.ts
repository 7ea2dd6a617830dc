import { qualityValues } from './quality-values.ts'

/**
 * Whether a client would rather have a page than JSON, by its `Accept` (RFC 9110, section 12.5.1): browsers do when a person
 * navigates. A client that takes both equally, as curl and fetch do, is a program.
 */
export function prefersHtml(accept: string | null): boolean {
  const accepted = qualityValues(accept ?? '')
  return qualityOf('text', 'html', accepted) > qualityOf('application', 'json', accepted)
}

/** The most specific range counts. */
function qualityOf(type: string, subtype: string, accepted: ReadonlyMap<string, number>): number {
  return accepted.get(`${type}/${subtype}`) ?? accepted.get(`${type}/*`) ?? accepted.get('*/*') ?? 0
}
