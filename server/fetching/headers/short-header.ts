import { copyOf } from '../../text/copy-of.ts'

/** The value of a header that is kept; null for one that is too long to be what it should be. */
export function shortHeader(value: string | null): string | null {
  return value === null || value.length > MAX_HEADER_CHARACTERS ? null : copyOf(value)
}

/** Real ones are far shorter. A host may send 256 KB for each of 5,000 URLs. */
const MAX_HEADER_CHARACTERS = 256
