import { createMemo, For, Show } from 'solid-js'
import { formatCount } from '../../base/format.ts'
import { archivePageCopy } from '../../language/english/archive-page.ts'
import { urlProblemText } from '../../map/url-problem-text.ts'
import { type BulkChange, changedPart } from './bulk-changes.ts'
import styles from './change-preview.module.css'

/** What would change, with the changed part of each URL marked. Changes that can't be made come first. */
export function ChangePreview(props: { changes: readonly BulkChange[]; hint: string }) {
  const sorted = createMemo(() =>
    props.changes.toSorted((a, b) => Number(a.problem === null) - Number(b.problem === null)),
  )
  const problems = () => props.changes.filter(({ problem }) => problem !== null).length
  return (
    <section aria-label={archivePageCopy.bulk.preview}>
      <p class={styles.summary} role="status">
        <Show when={props.changes.length > 0}>
          {archivePageCopy.bulk.willChange(props.changes.length - problems())}{' '}
        </Show>
        <Show when={problems() > 0}>
          <span class={styles.problem}>{archivePageCopy.bulk.cannotBeUsed(problems())} </span>
        </Show>
        {props.hint}
      </p>
      <Show when={props.changes.length > 0}>
        {/* Focusable, so that it can be scrolled by keyboard. */}
        <ol class={styles.list} tabindex="0" aria-label={archivePageCopy.bulk.preview}>
          <For each={sorted().slice(0, MAX_SHOWN)}>{(change) => <Change change={change} />}</For>
          <Show when={props.changes.length > MAX_SHOWN}>
            <li class={styles.more}>
              {archivePageCopy.bulk.more(formatCount(props.changes.length - MAX_SHOWN))}
            </li>
          </Show>
        </ol>
      </Show>
    </section>
  )
}

function Change(props: { change: BulkChange }) {
  const parts = () => changedPart(props.change.from, props.change.to)
  return (
    <li class={styles.change}>
      <span class={styles.number}>{formatCount(props.change.position + 1)}</span>
      <div class={styles.urls}>
        <del class={styles.from}>{props.change.from}</del>
        <ins class={styles.to}>
          {parts()[0]}
          <mark>{parts()[1]}</mark>
          {parts()[2]}
        </ins>
        <Show when={props.change.problem}>
          {(problem) => <p class={styles.problem}>{urlProblemText(problem())}</p>}
        </Show>
      </div>
    </li>
  )
}

/** More would not be read, and thousands would take long to show. */
const MAX_SHOWN = 100
