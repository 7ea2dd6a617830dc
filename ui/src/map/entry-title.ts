import type { Entry } from '../api/types.ts'

/** Returns the entry's name in the archive, or the last segment of its URL as long as it has none. */
export function entryTitle({ name, url }: Pick<Entry, 'name' | 'url'>): string {
  if (name !== null) return name
  const parsed = URL.parse(url)
  const segment = parsed?.pathname.split('/').findLast((segment) => segment !== '')
  return decoded(segment ?? parsed?.host ?? url)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
