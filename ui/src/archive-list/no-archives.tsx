import { Show } from 'solid-js'
import type { JobFilter } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { ButtonLink } from '../base/button-link.tsx'
import { EmptyState } from '../base/empty-state.tsx'

export interface NoArchivesProps {
  filter: JobFilter | undefined
  search: string
  onClearSearch: () => void
}

/** Shown when the user has no archives that pass the filter, or when a search has found none. */
export function NoArchives(props: NoArchivesProps) {
  return (
    <Show
      when={props.search === ''}
      fallback={
        <EmptyState
          title="No archives found"
          text={`No archive has “${props.search}” in its name or in one of its links.`}
        >
          <Button onClick={() => props.onClearSearch()}>Clear search</Button>
        </EmptyState>
      }
    >
      <EmptyState {...TEXTS[props.filter ?? 'all']}>
        <ButtonLink href="/">New archive</ButtonLink>
      </EmptyState>
    </Show>
  )
}

const TEXTS: Readonly<Record<JobFilter | 'all', { title: string; text: string }>> = {
  all: {
    title: 'No archives yet',
    text: 'Paste links, and Holdall packs their files into one ZIP. Archives stay here until they expire.',
  },
  pending: {
    title: 'No waiting archives',
    text: 'An archive is queued here while others run.',
  },
  processing: {
    title: 'No running archives',
    text: 'Follow archives here while they build, or come back later.',
  },
  completed: {
    title: 'No ready archives',
    text: 'Archives that are ready to download appear here until they expire.',
  },
  failed: {
    title: 'No failed archives',
    text: 'Failed archives appear here with the reason. Fetched files are kept for a retry.',
  },
  cancelled: {
    title: 'No cancelled archives',
    text: 'Archives that you cancel appear here. They can be continued.',
  },
}
