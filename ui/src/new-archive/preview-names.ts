import { likelyEntryName, numberDuplicates } from '../../../server/archive/entry-name.ts'
import type { Link } from '../links/link.ts'

export interface PreviewedName {
  readonly name: string
  /** Whether a number was added because an earlier link has the same name. */
  readonly isNumbered: boolean
}

/** Returns the probable entry names of the links, numbered where they collide. */
export function previewNames(links: readonly Link[]): PreviewedName[] {
  const likely = links.map((link) => likelyEntryName(link, null))
  return numberDuplicates(likely).map((name, index) => ({ name, isNumbered: name !== likely[index] }))
}
