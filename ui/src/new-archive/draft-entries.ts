import type { MapEntry } from '../map/entry-table.ts'
import type { MapFiles } from '../map/page-map.tsx'
import type { DraftLink } from './draft-links.ts'

/** What the map shows of an archive that is forming: one waiting block per link. */
export function draftEntries(links: readonly DraftLink[], duplicates: ReadonlySet<DraftLink>): MapFiles {
  const rows = links.slice(0, MAX_BLOCKS).map(
    (link, position): MapEntry => ({
      position,
      url: link.url,
      name: link.filename,
      size: 0,
      status: 'waiting',
      error: null,
      isDuplicate: duplicates.has(link),
    }),
  )
  return {
    count: rows.length,
    entries: {
      rows: () => rows,
      counts: () => ({ waiting: rows.length, fetching: 0, stored: 0, failed: 0 }),
      onChange: () => () => {},
    },
  }
}

/** Blocks beyond these could not be told apart, and painting them would take long. */
const MAX_BLOCKS = 20_000
