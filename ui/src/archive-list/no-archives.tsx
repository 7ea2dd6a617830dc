import { Show } from 'solid-js'
import type { JobFilter } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { ButtonLink } from '../base/button-link.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { archiveListCopy } from '../language/english/archive-list.ts'

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
        <EmptyState title={archiveListCopy.notFound} text={archiveListCopy.notFoundText(props.search)}>
          <Button onClick={() => props.onClearSearch()}>{archiveListCopy.clearSearch}</Button>
        </EmptyState>
      }
    >
      <EmptyState {...archiveListCopy.none[props.filter ?? 'all']}>
        <ButtonLink href="/">{archiveListCopy.newArchive}</ButtonLink>
      </EmptyState>
    </Show>
  )
}
