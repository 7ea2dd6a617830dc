import { newArchiveCopy } from '../language/english/new-archive.ts'
import { recognisedIn } from '../links/recognise-links.ts'
import { addItems } from './draft.ts'

/** Fills the list with links as an e-mail has them, for somebody who has none at hand. Nothing is fetched until it is packed. */
export function addExample(): void {
  addItems(recognisedIn(EXAMPLE), { source: EXAMPLE, title: newArchiveCopy.exampleTitle })
}

/** Public documents that have been in their places for years. */
const EXAMPLE = `Hi,
here is what I promised to send you:
- https://www.rfc-editor.org/rfc/rfc9110.txt
- https://www.rfc-editor.org/rfc/rfc9110.pdf and as a page: https://www.rfc-editor.org/rfc/rfc9110.html
- (https://www.rfc-editor.org/rfc/rfc3986.txt),
- https://www.rfc-editor.org/rfc/rfc6266.txt.
Best, Ann`
