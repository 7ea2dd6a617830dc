import { A } from '@solidjs/router'
import { ArchiveList } from '../archive-list/archive-list.tsx'
import { createLiveList } from '../archive-list/live-list.ts'
import { EmptyState } from '../base/empty-state.tsx'
import { PageHead } from '../base/page.tsx'
import styles from './home-page.module.css'
import { NewArchive } from './new-archive.tsx'

const RECENT = 5

/** Where one begins: a new archive, and under it the latest ones. */
export function HomePage() {
  const list = createLiveList({ status: () => undefined, pageSize: RECENT })
  return (
    <>
      <PageHead title="New archive" lead="Paste links. Holdall fetches them and packs them into one ZIP." />
      <NewArchive />
      <section class={styles.recent} aria-labelledby="recent">
        <div class={styles.head}>
          <h2 id="recent">Recent archives</h2>
          <A href="/archives">All archives</A>
        </div>
        <ArchiveList
          list={list}
          most={RECENT}
          empty={
            <EmptyState
              title="Your archives will be here"
              text="Paste some links above to make the first. You can close this page while it is packed."
            />
          }
        />
      </section>
    </>
  )
}
