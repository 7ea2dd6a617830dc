import { createMemo, For, Match, Switch } from 'solid-js'
import type { JobList } from '../api/jobs.ts'
import type { Polled } from '../api/polled.ts'
import { Button } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { Problem } from '../base/problem.tsx'
import { leaving } from './actions.ts'
import styles from './archive-list.module.css'
import { ArchiveRow } from './archive-row.tsx'

const SKELETON_ROWS = 3

export interface ArchiveListProps {
  jobs: Polled<JobList>
  most: number
  emptyTitle: string
  emptyText: string
}

/** Archives in rows of one height, so that nothing moves while they come, change and go. */
export function ArchiveList(props: ArchiveListProps) {
  const shown = createMemo(() =>
    props.jobs
      .value()
      ?.jobs.filter((job) => !leaving().has(job.id))
      .slice(0, props.most),
  )
  return (
    <Card>
      <Switch fallback={<Skeleton />}>
        <Match when={shown()?.length === 0}>
          <EmptyState title={props.emptyTitle} text={props.emptyText} />
        </Match>
        <Match when={shown()}>
          {(jobs) => (
            <ul>
              <For each={jobs()}>{(job) => <ArchiveRow job={job} onChanged={props.jobs.refresh} />}</For>
            </ul>
          )}
        </Match>
        <Match when={props.jobs.error()}>
          {(error) => (
            <div class={styles.error}>
              <Problem>{error().message}</Problem>
              <Button onClick={() => props.jobs.refresh()}>Try again</Button>
            </div>
          )}
        </Match>
      </Switch>
    </Card>
  )
}

function Skeleton() {
  return (
    <div aria-hidden="true">
      <For each={Array.from({ length: SKELETON_ROWS })}>
        {() => (
          <div class={styles.skeleton}>
            <span class={styles.disc} />
            <span class={styles.lines} />
          </div>
        )}
      </For>
    </div>
  )
}
