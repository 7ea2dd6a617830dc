import { createEffect, createMemo, createSignal, on, Show } from 'solid-js'
import { Card } from '../../base/card.tsx'
import { CopyButton } from '../../base/copy-button.tsx'
import { ArchiveMap } from './archive-map.tsx'
import { BlockedNetworks } from './blocked-networks.tsx'
import styles from './entries-section.module.css'
import { EntryFilters } from './entry-filters.tsx'
import { EntryList } from './entry-list.tsx'
import type { EntryFilter, EntrySort } from './entry-order.ts'
import type { EntryTable } from './entry-table.ts'
import { FixBar } from './fix-bar.tsx'
import type { LinkFixes } from './link-fixes.ts'

export interface EntriesSectionProps {
  entries: EntryTable
  count: number
  /** The job has failed and waits for someone to say how it goes on. */
  isStopped: boolean
  fixes: LinkFixes
  onContinue: () => void
  /** An entry to be shown and focused, each time that the object is another. */
  target: { readonly position: number } | null
}

/** What is in an archive: all of it at a glance in the map, and a row for each file. */
export function EntriesSection(props: EntriesSectionProps) {
  const [chosen, choose] = createSignal<EntryFilter | null>(null)
  const [sort, setSort] = createSignal<EntrySort>({ key: 'position', descending: false })
  const [marked, mark] = createSignal<number | null>(null)
  const [picked, pick] = createSignal<{ readonly position: number } | null>(null)
  const counts = () => props.entries.counts()
  // Who comes to a job that failed wants to see why, unless they say otherwise.
  const filter = createMemo(
    (): EntryFilter => chosen() ?? (props.isStopped && counts().failed > 0 ? 'failed' : 'all'),
  )
  const failed = createMemo(() => props.entries.rows().filter(({ status }) => status === 'failed'))
  const failedText = () =>
    failed()
      .map(({ url, error }) => `${url}\t${error}`)
      .join('\n')

  function show(position: number) {
    const status = props.entries.rows()[position]?.status
    if (filter() !== 'all' && filter() !== status) choose('all')
    pick({ position })
  }

  createEffect(
    on(
      () => props.target,
      (target) => target && show(target.position),
      { defer: true },
    ),
  )

  return (
    <section class={styles.section} aria-labelledby="files">
      <h2 id="files" class="visually-hidden">
        Files
      </h2>
      <Card>
        <div class={styles.map}>
          <ArchiveMap entries={props.entries} count={props.count} marked={marked()} onChoose={show} />
        </div>
        <div class={styles.bar}>
          <EntryFilters counts={counts()} total={props.count} value={filter()} onChange={choose} />
          <Show when={failed().length > 0}>
            <CopyButton variant="ghost" label="Copy all errors" text={failedText} />
          </Show>
        </div>
        <BlockedNetworks failed={failed()} canRetry={props.isStopped} />
        <EntryList
          entries={props.entries}
          filter={filter()}
          sort={sort()}
          onSort={setSort}
          fixes={props.isStopped ? props.fixes : null}
          target={picked()}
          onMark={mark}
        />
        <Show when={props.isStopped && props.fixes.count() > 0}>
          <FixBar fixes={props.fixes} onContinue={props.onContinue} />
        </Show>
      </Card>
    </section>
  )
}
