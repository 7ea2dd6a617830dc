import Plus from 'lucide-solid/icons/plus'
import { createSignal, Show } from 'solid-js'
import { Button, ButtonLink } from '../base/button.tsx'
import { PageHead } from '../base/page.tsx'
import { ArchiveList } from './archive-list.tsx'
import styles from './archives-page.module.css'
import { createLiveJobs } from './live-jobs.ts'

const PAGE_SIZE = 25

/** All archives, newest first; more of them on request. */
export function ArchivesPage() {
  const [wanted, setWanted] = createSignal(PAGE_SIZE)
  const jobs = createLiveJobs(wanted)
  const hasMore = () => (jobs.value()?.total ?? 0) > (jobs.value()?.jobs.length ?? 0)
  return (
    <>
      <PageHead title="Archives">
        <ButtonLink href="/" look="primary">
          <Plus size={18} aria-hidden="true" />
          New archive
        </ButtonLink>
      </PageHead>
      <ArchiveList
        jobs={jobs}
        most={wanted()}
        emptyTitle="No archives yet"
        emptyText="An archive is one ZIP of all the links that you paste. It stays here until it expires."
      />
      <Show when={hasMore()}>
        <div class={styles.more}>
          <Button onClick={() => setWanted((wanted) => wanted + PAGE_SIZE)}>Show more</Button>
        </div>
      </Show>
    </>
  )
}
