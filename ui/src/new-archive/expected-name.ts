import { likelyEntryName } from '../../../server/archive/names/entry-name.ts'
import type { Link } from '../links/link.ts'

/** The name that the entry of a link will have if its response determines no other, before names that repeat are numbered. */
export function expectedName({ url, filename }: Link): string {
  return likelyEntryName({ url: URL.parse(url), filename }, null)
}
