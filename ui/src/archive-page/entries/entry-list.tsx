import { createVirtualizer } from '@tanstack/solid-virtual'
import { createEffect, createMemo, createSignal, createUniqueId, For, on, Show } from 'solid-js'
import frame from '../../base/focus-frame.module.css'
import { lazyPart } from '../../base/lazy-part.tsx'
import { createPrinting } from '../../base/printing.ts'
import { CurrentRowProvider, createRowFocus } from '../../base/row-focus.ts'
import { archivePageCopy } from '../../language/english/archive-page.ts'
import { baseCopy } from '../../language/english/base.ts'
import type { EntryTable } from '../../map/entry-table.ts'
import { canPreview } from '../../preview/preview-kind.ts'
import type { LinkFixes } from '../fixing/link-fixes.ts'
import styles from './entry-list.module.css'
import { type EntrySort, nextSort, orderEntries, type ShownEntries, type SortKey } from './entry-order.ts'
import { EntryRow } from './entry-row.tsx'
import type { OnFix } from './row-actions.tsx'

const PreviewDialog = lazyPart(async () => (await import('../../preview/preview-dialog.tsx')).PreviewDialog)

export interface EntryListProps {
  entries: EntryTable
  filter: ShownEntries
  sort: EntrySort
  onSort: (sort: EntrySort) => void
  fixes: LinkFixes | null
  /** Begins to fix a link of a ready archive; null where that can't be done. */
  onFix: OnFix | null
  /** The entry to show and focus. Each new object shows it again. */
  target: { readonly position: number } | null
  onHighlight: (position: number | null) => void
  /** Opens the files of a ready archive; null before. */
  token: string | null
}

/** The table of entries. Only the rows in view are in the document, unless it is printed. */
export function EntryList(props: EntryListProps) {
  const copy = archivePageCopy.files
  let scroller: HTMLElement | undefined
  const hintId = createUniqueId()
  const isPrinting = createPrinting()
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const order = createMemo(() => orderEntries(props.entries.rows(), props.filter, props.sort))
  const [previewed, setPreviewed] = createSignal<number | null>(null)
  /** In the order of the table. */
  const viewable = createMemo(() => {
    if (previewed() === null) return []
    const entries = order().flatMap((position) => props.entries.rows()[position] ?? [])
    return entries.flatMap(({ position, name, size, status }) =>
      status === 'stored' && name !== null && canPreview({ name, size }) ? [{ position, name, size }] : [],
    )
  })
  const rows = createVirtualizer({
    get count() {
      return order().length
    },
    getScrollElement: () => scroller ?? null,
    estimateSize: () => ROW_REM * rem,
    scrollPaddingStart: HEADER_REM * rem,
    scrollMargin: HEADER_REM * rem,
    overscan: 6,
  })
  /** Numbers, so that a row and its focus stay where they are while its entry changes. */
  const shown = createMemo(() =>
    isPrinting() ? order().map((_, index) => index) : rows.getVirtualItems().map(({ index }) => index),
  )
  const spaceAbove = () =>
    isPrinting() ? 0 : (rows.getVirtualItems()[0]?.start ?? HEADER_REM * rem) - HEADER_REM * rem
  const spaceBelow = () =>
    isPrinting()
      ? 0
      : rows.getTotalSize() - (rows.getVirtualItems().at(-1)?.end ?? HEADER_REM * rem) + HEADER_REM * rem

  /** By index, as the rows of the document. */
  const rowFocus = createRowFocus({
    count: () => order().length,
    keyAt: (index) => index,
    indexOf: (key) => (Number(key) < order().length ? Number(key) : -1),
    scroller: () => scroller,
    scrollTo: (index, align) => rows.scrollToIndex(index, { align }),
    pageRows: () => Math.max(1, Math.floor(((scroller?.clientHeight ?? 0) / rem - HEADER_REM) / ROW_REM) - 1),
  })
  /** The row in the tab order: the current one, or what is nearest to it of the rows in the document. */
  const tabRow = createMemo(() =>
    Math.max(shown()[0] ?? 0, Math.min(shown().at(-1) ?? 0, rowFocus.current())),
  )

  createEffect(
    on(
      () => props.target,
      (target) => {
        const index = target === null ? -1 : order().indexOf(target.position)
        if (target === null || index === -1) return
        rows.scrollToIndex(index, { align: 'center' })
        requestAnimationFrame(() => focusRow(target.position))
      },
    ),
  )

  function focusRow(position: number) {
    const row = scroller?.querySelector<HTMLElement>(`[data-position="${position}"]`)
    scroller?.scrollIntoView({ block: 'nearest' })
    const field = row?.querySelector('input')
    ;(field ?? row)?.focus({ preventScroll: true })
    // The window may be lower than the list.
    row?.scrollIntoView({ block: 'nearest' })
  }

  return (
    // Focusable, so that it can be scrolled by keyboard.
    <div class={`${frame.frame} ${frame.fills}`}>
      <section
        ref={scroller}
        class={styles.scroller}
        style={{
          '--rows-height':
            order().length === 0 ? undefined : `${HEADER_REM * rem + rows.getTotalSize() + BORDER_PX}px`,
        }}
        tabindex="0"
        aria-label={copy.table}
        aria-describedby={hintId}
        on:keydown={rowFocus.onKeyDown}
      >
        <table class={styles.table} aria-label={copy.title} aria-rowcount={order().length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <SortHeader class={styles.number} label={copy.number} key="position" {...props} />
              <th scope="col" class={styles.header}>
                {copy.file}
              </th>
              <SortHeader class={styles.size} label={copy.size} key="size" {...props} />
              <SortHeader class={styles.state} label={copy.status} key="status" {...props} />
            </tr>
          </thead>
          <tbody style={{ '--above': `${spaceAbove()}px`, '--below': `${spaceBelow()}px` }}>
            <For each={shown()}>
              {(index) => (
                <Show when={props.entries.rows()[order()[index] ?? -1]}>
                  {(entry) => (
                    <CurrentRowProvider value={() => tabRow() === index}>
                      <EntryRow
                        entry={entry()}
                        index={index}
                        fixes={props.fixes}
                        onFix={props.onFix}
                        onFocus={() => rowFocus.enter(index)}
                        onHighlight={props.onHighlight}
                        token={props.token}
                        onPreview={setPreviewed}
                      />
                    </CurrentRowProvider>
                  )}
                </Show>
              )}
            </For>
          </tbody>
        </table>
        <Show when={props.entries.isFilled() && order().length === 0}>
          <p class={styles.empty}>{copy.none[props.filter]}</p>
        </Show>
        <p id={hintId} class="visually-hidden">
          {baseCopy.rowKeys}
        </p>
      </section>
      <Show when={previewed() !== null && props.token}>
        {(token) => (
          <PreviewDialog
            files={viewable()}
            token={token()}
            start={previewed() ?? 0}
            onClose={() => setPreviewed(null)}
          />
        )}
      </Show>
    </div>
  )
}

interface SortHeaderProps {
  class: string | undefined
  label: string
  key: SortKey
  sort: EntrySort
  onSort: (sort: EntrySort) => void
}

function SortHeader(props: SortHeaderProps) {
  const direction = () => {
    if (props.sort.key !== props.key) return undefined
    return props.sort.descending ? 'descending' : 'ascending'
  }
  return (
    <th scope="col" class={`${styles.header} ${props.class}`} aria-sort={direction()}>
      <button type="button" class={styles.sort} onClick={() => props.onSort(nextSort(props.sort, props.key))}>
        {props.label}
        <span class={styles.arrow} aria-hidden="true">
          {direction() === 'descending' ? '↓' : '↑'}
        </span>
      </button>
    </th>
  )
}

/** The heights of a row and of the table header in entry-list.module.css, in rem. */
const ROW_REM = 3.75
const HEADER_REM = 2.75
/** Above the table. */
const BORDER_PX = 1
