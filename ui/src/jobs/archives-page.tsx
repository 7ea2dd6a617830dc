import { createSignal, Show } from 'solid-js'
import { isUnderWay, type JobItem, listJobs } from '../api/jobs.ts'
import { plural } from '../base/format.ts'
import { Notice } from '../base/notice.tsx'
import { setTitle } from '../base/title.ts'
import { createPolled } from '../live/polled.ts'
import { ArchiveList } from './archive-list.tsx'

const PAGE = 50

/** All archives, newest first; the first page is live, older ones come when asked for. */
export function ArchivesPage() {
  setTitle('Archives')
  const first = createPolled(
    () => listJobs({ limit: PAGE }),
    ({ jobs }) => jobs.some(isUnderWay),
  )
  const [older, setOlder] = createSignal<readonly JobItem[]>([])
  const [olderCursor, setOlderCursor] = createSignal<string | null>()
  const [problem, setProblem] = createSignal<Error>()
  const jobs = () => {
    const live = first.value()?.jobs
    if (live === undefined) return undefined
    const ids = new Set(live.map(({ id }) => id))
    return [...live, ...older().filter(({ id }) => !ids.has(id))]
  }
  const nextCursor = () => {
    const cursor = olderCursor()
    return cursor === undefined ? first.value()?.meta.next_cursor : cursor
  }
  const showMore = async () => {
    setProblem(undefined)
    try {
      const page = await listJobs({ limit: PAGE, cursor: nextCursor() ?? undefined })
      setOlder([...older(), ...page.jobs])
      setOlderCursor(page.meta.next_cursor)
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return (
    <section aria-labelledby="archives">
      <div class="section-head">
        <h1 id="archives">Archives</h1>
        <Show when={first.value()}>
          {(page) => <p class="muted">{plural(page().meta.total, 'archive')}</p>}
        </Show>
      </div>
      <ArchiveList
        jobs={jobs()}
        error={first.error()}
        rows={8}
        empty="You have made no archive yet. Paste some URLs under “New” to make one."
      />
      <Show when={problem()}>{(error) => <Notice kind="problem">{error().message}</Notice>}</Show>
      <Show when={nextCursor()}>
        <div class="more">
          <button type="button" class="button" onClick={() => void showMore()}>
            Show more
          </button>
        </div>
      </Show>
    </section>
  )
}
