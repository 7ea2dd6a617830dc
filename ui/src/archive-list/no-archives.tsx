import type { JobStatus } from '../api/types.ts'
import { ButtonLink } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'

const TEXTS: Readonly<Record<JobStatus | 'all', { title: string; text: string }>> = {
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
}

/** Shown when the user has no archives of a status. */
export function NoArchives(props: { status: JobStatus | undefined }) {
  return (
    <EmptyState {...TEXTS[props.status ?? 'all']}>
      <ButtonLink href="/">New archive</ButtonLink>
    </EmptyState>
  )
}
