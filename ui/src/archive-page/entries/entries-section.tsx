import { createEffect, createMemo, createSignal, type JSX, on, Show } from 'solid-js'
import type { RunChanges } from '../../api/types.ts'
import { Card } from '../../base/card.tsx'
import { CopyButton } from '../../base/copy-button.tsx'
import { archivePageCopy } from '../../language/english/archive-page.ts'
import { type EntryCounts, statusOf } from '../../map/entry-status.ts'
import type { EntryTable } from '../../map/entry-table.ts'
import { FilesLayout } from '../../map/files-layout.tsx'
import { KindLegend } from '../../map/kind-legend.tsx'
import type { MapTarget, PageMap } from '../../map/page-map.tsx'
import { BulkFix } from '../fixing/bulk-fix.tsx'
import { FixBar } from '../fixing/fix-bar.tsx'
import type { LinkFixes } from '../fixing/link-fixes.ts'
import { BlockedNetworks } from './blocked-networks.tsx'
import styles from './entries-section.module.css'
import { EntryFilters } from './entry-filters.tsx'
import { EntryList } from './entry-list.tsx'
import { type EntrySort, isChanged, type ShownEntries } from './entry-order.ts'
import type { OnFix } from './row-actions.tsx'

export interface EntriesSectionProps {
  entries: EntryTable
  count: number
  /** What a run of a schedule has changed. */
  changes: RunChanges | undefined
  /** What the corrections of failed links are for; null while they can't be corrected. */
  fixingFor: 'this-archive' | 'new-archive' | null
  fixes: LinkFixes
  /** Begins to fix a link of a ready archive; null where that can't be done. */
  onFix: OnFix | null
  onSubmit: () => void
  onDiscard: () => void
  /** Buttons for the links as a whole. */
  actions: JSX.Element
  map: PageMap
  isReady: boolean
  /** Opens the files of a ready archive; null before. */
  token: string | null
}

/** The entries of an archive as a map and as a table. */
export function EntriesSection(props: EntriesSectionProps) {
  const [selectedFilter, selectFilter] = createSignal<ShownEntries | null>(null)
  const [sort, setSort] = createSignal<EntrySort>({ key: 'position', descending: false })
  const [target, setTarget] = createSignal<MapTarget | null>(null)
  const counts = () => props.entries.counts()
  const isFixing = () => props.fixingFor !== null
  // To correct links, the filter shows them until the user selects another filter.
  const filter = createMemo((): ShownEntries => selectedFilter() ?? (isFixing() ? toFix(counts()) : 'all'))
  const failed = createMemo(() => props.entries.rows().filter(({ status }) => status === 'failed'))
  const changedRows = createMemo(() => props.entries.rows().filter(isChanged))
  const failedText = () =>
    failed()
      .map(({ url, error }) => `${url}\t${error}`)
      .join('\n')

  function show(position: number) {
    const entry = props.entries.rows()[position]
    const status = entry && statusOf(entry)
    if (filter() !== 'all' && filter() !== status && !(filter() === 'changed' && entry && isChanged(entry)))
      selectFilter('all')
    setTarget({ position })
  }

  createEffect(
    on(
      () => props.map.target(),
      (target) => target && show(target.position),
      { defer: true },
    ),
  )

  return (
    <section class={styles.section} aria-labelledby="files">
      <h2 id="files" class="visually-hidden">
        {archivePageCopy.files.title}
      </h2>
      <Card>
        <FilesLayout
          map={props.map.element}
          legend={
            <Show when={props.isReady}>
              <KindLegend entries={props.entries.rows()} />
            </Show>
          }
          bar={
            <>
              <div class={styles.bar}>
                <EntryFilters
                  counts={counts()}
                  total={props.count}
                  isReady={props.isReady}
                  changed={props.changes === undefined ? null : changedRows().length}
                  value={filter()}
                  onChange={selectFilter}
                />
                <div class={styles.actions}>
                  <Show when={isFixing() && failed().length > 1}>
                    <BulkFix failed={failed()} fixes={props.fixes} />
                  </Show>
                  {props.actions}
                  <Show when={failed().length > 0}>
                    <CopyButton variant="ghost" label={archivePageCopy.files.copyErrors} text={failedText} />
                  </Show>
                </div>
              </div>
              <BlockedNetworks failed={failed()} canRetry={isFixing()} />
            </>
          }
          list={
            <EntryList
              entries={props.entries}
              filter={filter()}
              sort={sort()}
              onSort={setSort}
              fixes={isFixing() ? props.fixes : null}
              onFix={props.onFix}
              target={target()}
              onHighlight={props.map.highlight}
              token={props.token}
            />
          }
        />
        <Show when={props.fixingFor === 'new-archive' || (isFixing() && !props.fixes.isEmpty())}>
          <FixBar
            fixes={props.fixes}
            isForNewArchive={props.fixingFor === 'new-archive'}
            onSubmit={() => props.onSubmit()}
            onDiscard={() => props.onDiscard()}
          />
        </Show>
      </Card>
    </section>
  )
}

/** The entries to correct: those that failed, or if there are none those that look wrong. */
function toFix(counts: EntryCounts): ShownEntries {
  if (counts.failed > 0) return 'failed'
  return counts.check > 0 ? 'check' : 'all'
}
