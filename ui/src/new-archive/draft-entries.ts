import type { MapEntry } from '../map/entry-table.ts'
import type { MapFiles } from '../map/page-map.tsx'
import type { DraftLink } from './draft-links.ts'

/** What the map shows of a draft: one waiting cell per link. */
export function draftEntries(links: readonly DraftLink[], duplicates: ReadonlySet<DraftLink>): MapFiles {
  const rows = links.slice(0, MAX_CELLS).map(
    (link, position): MapEntry => ({
      position,
      url: link.url,
      name: link.filename,
      size: 0,
      expected_size: null,
      status: 'waiting',
      error: null,
      warning: null,
      isDuplicate: duplicates.has(link),
    }),
  )
  return {
    count: rows.length,
    isReady: false,
    entries: {
      rows: () => rows,
      counts: () => ({ waiting: rows.length, fetching: 0, stored: 0, check: 0, failed: 0 }),
      onChange: () => () => {},
    },
  }
}

/** Cells beyond these could not be told apart. */
const MAX_CELLS = 20_000
