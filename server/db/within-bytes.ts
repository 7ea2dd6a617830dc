/**
 * The first rows that take at most `maxBytes` together, and at least one. A transaction is limited by what it changes, not by
 * the number of its rows: one row can take a megabyte.
 */
export function withinBytes<T extends { readonly bytes: number }>(rows: readonly T[], maxBytes: number): T[] {
  let total = 0
  return rows.filter(({ bytes }, index) => {
    total += bytes
    return index === 0 || total <= maxBytes
  })
}

/** What one transaction deletes, in a few milliseconds. */
export const MAX_DELETED_BYTES = 2_000_000
