import type { JobStatus } from '../api/types.ts'
import { ButtonLink } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'

const TEXTS: Readonly<Record<JobStatus | 'all', { title: string; text: string }>> = {
  all: {
    title: 'No archives yet',
    text: 'An archive is one ZIP of all the links that you paste. It stays here until it expires.',
  },
  pending: {
    title: 'Nothing is waiting',
    text: 'An archive waits here for its turn while many others are being made.',
  },
  processing: {
    title: 'Nothing is running',
    text: 'While an archive is being made, you can follow it here, or close the page and come back.',
  },
  completed: {
    title: 'Nothing is finished',
    text: 'Archives that are ready to download are here until they expire.',
  },
  failed: {
    title: 'Nothing has failed',
    text: 'If an archive can’t be made, it is here with the reason. What was fetched is kept for another try.',
  },
}

/** Shown when the user has no archives of a status. */
export function NoArchives(props: { status: JobStatus | undefined }) {
  return (
    <EmptyState {...TEXTS[props.status ?? 'all']}>
      <ButtonLink href="/">Make an archive</ButtonLink>
    </EmptyState>
  )
}
