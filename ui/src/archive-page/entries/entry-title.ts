import type { Entry } from '../../api/types.ts'

/** What an entry is called: its name in the archive, or what its URL ends with until it has one. */
export function titleOf({ name, url }: Entry): string {
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
