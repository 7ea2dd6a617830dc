import { A } from '@solidjs/router'
import { Show } from 'solid-js'
import { isUnderWay, listJobs } from '../api/jobs.ts'
import { setTitle } from '../base/title.ts'
import { createPolled } from '../live/polled.ts'
import { ArchiveList } from './archive-list.tsx'
import { NewArchiveForm } from './new-archive-form.tsx'

const RECENT = 5

/** A new archive, and the latest ones below. */
export function HomePage() {
  setTitle('New archive')
  const recent = createPolled(
    () => listJobs({ limit: RECENT }),
    ({ jobs }) => jobs.some(isUnderWay),
  )
  return (
    <>
      <NewArchiveForm />
      <section aria-labelledby="recent" class="section">
        <div class="section-head">
          <h2 id="recent">Recent archives</h2>
          <Show when={(recent.value()?.meta.total ?? 0) > RECENT}>
            <A href="/archives">All archives</A>
          </Show>
        </div>
        <ArchiveList
          jobs={recent.value()?.jobs}
          error={recent.error()}
          rows={RECENT}
          empty="Archives that you make appear here. Each can be downloaded until it expires."
        />
      </section>
    </>
  )
}
