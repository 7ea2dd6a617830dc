import { A } from '@solidjs/router'
import { createMemo, For, Match, Show, Switch } from 'solid-js'
import type { JobPage } from '../api/jobs.ts'
import type { Polling } from '../api/polling.ts'
import type { JobListItem } from '../api/types.ts'
import { formatBytes, formatDateTime, formatGbDays } from '../base/format.ts'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { messageOf } from '../base/message.ts'
import { Meter } from '../base/meter.tsx'
import { useNow } from '../base/now.ts'
import { accountCopy } from '../language/english/account.ts'
import styles from './storage-breakdown.module.css'
import { gbDaysPerDay, storageUse } from './storage-use.ts'

/** The total size of all stored archives, and the largest of them. */
export function StorageBreakdown(props: { jobs: Polling<JobPage> }) {
  const copy = accountCopy.storage
  const now = useNow()
  const storage = createMemo(() => {
    const list = props.jobs.value()
    return list && storageUse(list.jobs, now())
  })
  const uncountedJobs = () => (props.jobs.value()?.total ?? 0) - (props.jobs.value()?.jobs.length ?? 0)
  return (
    <section aria-labelledby="space">
      <h2 id="space">{copy.title}</h2>
      <Switch fallback={<ListSkeleton />}>
        <Match when={storage()?.count === 0}>
          <p class={styles.total}>{copy.none}</p>
        </Match>
        <Match when={storage()}>
          {(storage) => (
            <>
              <p class={styles.total}>
                {copy.total(
                  formatBytes(storage().bytes),
                  storage().count,
                  formatGbDays(gbDaysPerDay(storage().bytes)),
                )}
                <Show when={uncountedJobs() > 0}> {copy.uncounted(uncountedJobs())}</Show>
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
                        label={copy.share(job.zip_filename)}
                        fraction={job.zip_size / storage().bytes}
                        valueText={copy.shareText(formatBytes(job.zip_size), formatBytes(storage().bytes))}
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
          {(error) => <ListError message={messageOf(error())} onRetry={props.jobs.refresh} />}
        </Match>
      </Switch>
    </section>
  )
}

function keptUntil({ status, expires_at }: JobListItem, now: number): string {
  const copy = accountCopy.storage
  if (expires_at === null) return status === 'completed' ? copy.keptBySchedule : copy.notReady
  return (status === 'failed' ? copy.keptForRetry : copy.kept)(formatDateTime(expires_at, now))
}
