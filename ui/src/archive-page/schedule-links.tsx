import { A } from '@solidjs/router'
import { createResource, Show } from 'solid-js'
import { getSchedule, listRuns } from '../api/schedules.ts'
import type { ScheduleRun } from '../api/types.ts'
import { formatDateTime } from '../base/format.ts'
import { archivePageCopy } from '../language/english/archive-page.ts'
import { scheduleText } from '../repeat/recurrence.ts'
import styles from './schedule-links.module.css'

export interface ScheduleLinksProps {
  scheduleId: string
  jobId: string
  now: number
}

/** Where an archive of a schedule leads: to the schedule, and to the archives before and after it. */
export function ScheduleLinks(props: ScheduleLinksProps) {
  const copy = archivePageCopy.schedule
  // Without it, as after the schedule was removed, the archive is shown all the same.
  const [found] = createResource(
    () => [props.scheduleId, props.jobId] as const,
    async ([scheduleId, jobId]) => {
      const { signal } = new AbortController()
      try {
        const [schedule, runs] = await Promise.all([
          getSchedule(scheduleId, signal),
          listRuns(scheduleId, MAX_RUNS, signal),
        ])
        return { schedule, ...neighboursOf(runs.items, jobId) }
      } catch {
        return null
      }
    },
  )
  return (
    <Show when={found()}>
      {(value) => (
        <nav class={styles.links} aria-label={copy.title}>
          <A href={`/account/schedules/${props.scheduleId}`}>{scheduleText(value().schedule)}</A>
          <Show when={value().schedule.next_run_at}>
            {(next) => <span class={styles.next}>{copy.next(formatDateTime(next(), props.now))}</span>}
          </Show>
          <Show when={value().earlier}>
            {(run) => (
              <A href={`/archives/${run().job_id}`}>
                {copy.earlier(formatDateTime(run().started_at, props.now))}
              </A>
            )}
          </Show>
          <Show when={value().later}>
            {(run) => (
              <A href={`/archives/${run().job_id}`}>
                {copy.later(formatDateTime(run().started_at, props.now))}
              </A>
            )}
          </Show>
        </nav>
      )}
    </Show>
  )
}

/** The archives next to that of a job. Runs that failed have none. */
function neighboursOf(runs: readonly ScheduleRun[], jobId: string) {
  const archives = runs.filter((run) => run.job_id === jobId || (run.status === 'completed' && run.job_id))
  const index = archives.findIndex((run) => run.job_id === jobId)
  // Newest first.
  return { earlier: archives[index + 1], later: index > 0 ? archives[index - 1] : undefined }
}

/** As many as are known. */
const MAX_RUNS = 400
