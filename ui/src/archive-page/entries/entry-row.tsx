import CircleAlert from 'lucide-solid/icons/circle-alert'
import { createUniqueId, Show } from 'solid-js'
import type { Entry } from '../../api/types.ts'
import { formatBytes, formatCount } from '../../base/format.ts'
import styles from './entry-row.module.css'
import { STATUS_WORDS } from './entry-status.ts'
import { titleOf } from './entry-title.ts'
import type { LinkFixes } from './link-fixes.ts'

export interface EntryRowProps {
  entry: Entry
  /** Counted from 1, the head of the table included. */
  rowIndex: number
  /** Where the URL of a failed entry may be corrected. */
  fixes: LinkFixes | null
  onMark: (position: number | null) => void
}

/** An entry: its name and where it comes from, or what went wrong and a box to correct its link. */
export function EntryRow(props: EntryRowProps) {
  const fixes = () => (props.entry.status === 'failed' ? props.fixes : null)
  return (
    <tr
      aria-rowindex={props.rowIndex}
      tabindex="-1"
      class={styles.row}
      data-position={props.entry.position}
      onPointerEnter={() => props.onMark(props.entry.position)}
      onPointerLeave={() => props.onMark(null)}
      onFocusIn={() => props.onMark(props.entry.position)}
      onFocusOut={() => props.onMark(null)}
    >
      <td class={styles.number}>{formatCount(props.entry.position + 1)}</td>
      <td class={styles.words} colspan={fixes() === null ? 1 : 2}>
        <Show
          when={fixes()}
          fallback={
            <>
              <p class={styles.name} title={titleOf(props.entry)}>
                {titleOf(props.entry)}
              </p>
              <p class={styles.url} title={props.entry.url}>
                {props.entry.url}
              </p>
            </>
          }
        >
          {(fixes) => <UrlField entry={props.entry} fixes={fixes()} />}
        </Show>
        <p class={styles.stateBelow}>
          <State entry={props.entry} />
        </p>
      </td>
      <Show when={fixes() === null}>
        <td class={styles.size}>{sizeOf(props.entry)}</td>
      </Show>
      <td class={styles.stateBeside}>
        <State entry={props.entry} />
      </td>
    </tr>
  )
}

function State(props: { entry: Entry }) {
  return (
    <span class={styles.state} data-status={props.entry.status}>
      <span class={styles.dot} aria-hidden="true" />
      <span class={styles.reason}>{props.entry.error ?? STATUS_WORDS[props.entry.status]}</span>
    </span>
  )
}

/** From link to link without a pointer. */
function focusNext(field: HTMLElement): void {
  field.closest('tr')?.nextElementSibling?.querySelector('input')?.focus()
}

function sizeOf({ size, status }: Entry): string {
  return size > 0 || status === 'stored' ? formatBytes(size) : ''
}

function UrlField(props: { entry: Entry; fixes: LinkFixes }) {
  const problemId = createUniqueId()
  const problem = () => props.fixes.problemAt(props.entry.position)
  return (
    <div class={styles.field}>
      <input
        class={styles.input}
        type="url"
        inputmode="url"
        spellcheck={false}
        autocomplete="off"
        aria-label={`URL of link ${formatCount(props.entry.position + 1)}`}
        aria-invalid={problem() !== undefined}
        aria-describedby={problem() === undefined ? undefined : problemId}
        data-changed={props.fixes.at(props.entry.position) === undefined ? undefined : ''}
        value={props.fixes.at(props.entry.position) ?? props.entry.url}
        onInput={(event) => props.fixes.set(props.entry.position, event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && focusNext(event.currentTarget)}
      />
      <Show when={problem()}>
        {(problem) => (
          <p id={problemId} class={styles.problem}>
            <CircleAlert size={14} aria-hidden="true" />
            {problem()}
          </p>
        )}
      </Show>
    </div>
  )
}
