import { createMemo } from 'solid-js'
import type { Entry } from '../api/types.ts'
import { ArchiveMap } from '../map/archive-map.tsx'
import type { EntryRows } from '../map/entry-table.ts'
import type { DraftLink } from './draft-links.ts'

export interface DraftMapProps {
  links: readonly DraftLink[]
  highlighted: number | null
  onSelect: (index: number) => void
}

/** The map of the archive that is forming: one waiting block per link. */
export function DraftMap(props: DraftMapProps) {
  const rows = createMemo(() =>
    props.links.slice(0, MAX_BLOCKS).map(
      ({ url }, position): Entry => ({
        position,
        url,
        name: null,
        size: 0,
        status: 'waiting',
        error: null,
      }),
    ),
  )
  const entries: EntryRows = {
    rows,
    counts: () => ({ waiting: rows().length, fetching: 0, stored: 0, failed: 0 }),
    onChange: () => () => {},
  }
  return (
    <ArchiveMap
      entries={entries}
      count={rows().length}
      highlighted={props.highlighted}
      onSelect={props.onSelect}
    />
  )
}

/** Blocks beyond these could not be told apart, and painting them would take long. */
const MAX_BLOCKS = 20_000
