import { A } from '@solidjs/router'
import { createMemo, For, Match, Show, Switch } from 'solid-js'
import type { JobPage } from '../api/jobs.ts'
import type { Polling } from '../api/polling.ts'
import type { JobListItem } from '../api/types.ts'
import { countOf, formatBytes, formatCount, formatDateTime, formatGbDays } from '../base/format.ts'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { Meter } from '../base/meter.tsx'
import { useNow } from '../base/now.ts'
import styles from './storage-breakdown.module.css'
import { gbDaysPerDay, storageUse } from './storage-use.ts'

/** The total size of all stored archives, and the largest of them. */
export function StorageBreakdown(props: { jobs: Polling<JobPage> }) {
  const now = useNow()
  const storage = createMemo(() => {
    const list = props.jobs.value()
    return list && storageUse(list.jobs, now())
  })
  const uncountedJobs = () => (props.jobs.value()?.total ?? 0) - (props.jobs.value()?.jobs.length ?? 0)
  return (
    <section aria-labelledby="space">
      <h2 id="space">Storage use</h2>
      <Switch fallback={<ListSkeleton />}>
        <Match when={storage()?.count === 0}>
          <p class={styles.total}>No stored archives. Archives use space until they expire or are deleted.</p>
        </Match>
        <Match when={storage()}>
          {(storage) => (
            <>
              <p class={styles.total}>
                {formatBytes(storage().bytes)} in {countOf(storage().count, 'archive')}. They add{' '}
                {formatGbDays(gbDaysPerDay(storage().bytes))} per day.
                <Show when={uncountedJobs() > 0}>
                  {' '}
                  The oldest {formatCount(uncountedJobs())} are not counted here.
                </Show>
              </p>
              <ul class={styles.list}>
                <For each={storage().largest}>
                  {(job) => (
                    <li class={styles.archive}>
                      <A class={styles.name} href={`/archives/${job.id}`}>
                        {job.zip_filename}
                      </A>
                      <span class={styles.size}>{formatBytes(job.zip_size)}</span>
                      <Meter
                        label={`Share of ${job.zip_filename}`}
                        fraction={job.zip_size / storage().bytes}
                        valueText={`${formatBytes(job.zip_size)} of ${formatBytes(storage().bytes)}`}
                      />
                      <span class={styles.until}>{keptUntil(job, now())}</span>
                    </li>
                  )}
                </For>
              </ul>
            </>
          )}
        </Match>
        <Match when={props.jobs.error()}>
          {(error) => <ListError text={error().message} onRetry={props.jobs.refresh} />}
        </Match>
      </Switch>
    </section>
  )
}

function keptUntil({ status, expires_at }: JobListItem, now: number): string {
  if (expires_at === null) return status === 'completed' ? 'Kept by its schedule' : 'Not ready yet'
  return `${status === 'failed' ? 'Kept for retry' : 'Kept'} until ${formatDateTime(expires_at, now)}`
}
