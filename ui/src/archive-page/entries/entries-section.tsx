import { createEffect, createMemo, createSignal, on, Show } from 'solid-js'
import { Card } from '../../base/card.tsx'
import { CopyButton } from '../../base/copy-button.tsx'
import { ArchiveMap } from '../../map/archive-map.tsx'
import type { EntryTable } from '../../map/entry-table.ts'
import { BlockedNetworks } from './blocked-networks.tsx'
import styles from './entries-section.module.css'
import { EntryFilters } from './entry-filters.tsx'
import { EntryList } from './entry-list.tsx'
import type { EntryFilter, EntrySort } from './entry-order.ts'
import { FixBar } from './fix-bar.tsx'
import type { LinkFixes } from './link-fixes.ts'

export interface EntriesSectionProps {
  entries: EntryTable
  count: number
  /** The job has failed, and the user can correct its links and continue. */
  isStopped: boolean
  fixes: LinkFixes
  onContinue: () => void
  /** The entry to show and focus. Each new object shows it again. */
  target: { readonly position: number } | null
}

/** The entries of an archive as a map and as a table. */
export function EntriesSection(props: EntriesSectionProps) {
  const [selectedFilter, selectFilter] = createSignal<EntryFilter | null>(null)
  const [sort, setSort] = createSignal<EntrySort>({ key: 'position', descending: false })
  const [highlighted, setHighlighted] = createSignal<number | null>(null)
  const [target, setTarget] = createSignal<{ readonly position: number } | null>(null)
  const counts = () => props.entries.counts()
  // For a failed job, the filter shows the failed entries until the user selects another filter.
  const filter = createMemo(
    (): EntryFilter => selectedFilter() ?? (props.isStopped && counts().failed > 0 ? 'failed' : 'all'),
  )
  const failed = createMemo(() => props.entries.rows().filter(({ status }) => status === 'failed'))
  const failedText = () =>
    failed()
      .map(({ url, error }) => `${url}\t${error}`)
      .join('\n')

  function show(position: number) {
    const status = props.entries.rows()[position]?.status
    if (filter() !== 'all' && filter() !== status) selectFilter('all')
    setTarget({ position })
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
          <ArchiveMap
            entries={props.entries}
            count={props.count}
            highlighted={highlighted()}
            onSelect={show}
          />
        </div>
        <div class={styles.bar}>
          <EntryFilters counts={counts()} total={props.count} value={filter()} onChange={selectFilter} />
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
          target={target()}
          onHighlight={setHighlighted}
        />
        <Show when={props.isStopped && props.fixes.count() > 0}>
          <FixBar fixes={props.fixes} onContinue={props.onContinue} />
        </Show>
      </Card>
    </section>
  )
}
