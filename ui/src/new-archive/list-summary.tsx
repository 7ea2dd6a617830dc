import Undo from 'lucide-solid/icons/undo-2'
import { createMemo, For, Show } from 'solid-js'
import { Button } from '../base/button.tsx'
import { formatCount } from '../base/format.ts'
import { baseCopy } from '../language/english/base.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import type { Recognised } from '../links/link.ts'
import { urlProblemText } from '../map/url-problem-text.ts'
import { canUndo, changeItems, draft, editAsText, undo } from './draft.ts'
import { withoutDuplicates, withSchemes } from './draft-links.ts'
import { namedByLabels } from './labels.ts'
import styles from './list-summary.module.css'

const copy = newArchiveCopy.list

export interface ListSummaryProps {
  linkCount: number
  duplicateCount: number
  onChooseFile: () => void
  onCheck: () => void
}

/** What was recognised, what was not, and what can be done with it. */
export function ListSummary(props: ListSummaryProps) {
  const ignored = () => draft().items.filter((item) => item.kind === 'text')
  const byLabels = createMemo(() => namedByLabels(draft().items))
  const schemeless = () => draft().items.filter((item) => item.kind === 'schemeless')
  return (
    <div class={styles.summary}>
      <p class={styles.count} role="status">
        {baseCopy.files(props.linkCount)}
        <Show when={props.duplicateCount > 0}>
          <span class={styles.duplicates}>{baseCopy.duplicates(props.duplicateCount)}</span>
        </Show>
      </p>
      <div class={styles.actions}>
        <Show when={props.duplicateCount > 0}>
          <Button variant="ghost" onClick={() => changeItems(withoutDuplicates(draft().items))}>
            {copy.mergeDuplicates}
          </Button>
        </Show>
        <Show when={byLabels()}>
          {(named) => (
            <Button variant="ghost" onClick={() => changeItems(named())}>
              {copy.nameByText}
            </Button>
          )}
        </Show>
        <Button variant="ghost" disabled={props.linkCount === 0} onClick={() => props.onCheck()}>
          {copy.checkLinks}
        </Button>
        <Button variant="ghost" onClick={() => props.onChooseFile()}>
          {copy.addFile}
        </Button>
        <Button variant="ghost" onClick={editAsText}>
          {copy.editAsText}
        </Button>
        <Button variant="ghost" disabled={!canUndo()} onClick={undo}>
          <Undo size={18} aria-hidden="true" />
          {copy.undo}
        </Button>
      </div>
      <Show when={schemeless().length > 0}>
        <p class={styles.schemeless}>
          <span class={styles.schemelessText}>
            {describeSchemeless(schemeless().map(({ text }) => text))}
          </span>
          <Button variant="ghost" onClick={() => changeItems(withSchemes(draft().items))}>
            {copy.addHttps}
          </Button>
        </p>
      </Show>
      <Show when={ignored().length > 0}>
        <IgnoredLines lines={ignored()} />
      </Show>
    </div>
  )
}

function IgnoredLines(props: { lines: readonly Extract<Recognised, { kind: 'text' }>[] }) {
  return (
    <details class={styles.ignored}>
      <summary class={styles.ignoredSummary}>{copy.ignored(props.lines.length)}</summary>
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <ul class={styles.lines} tabindex="0" aria-label={copy.ignoredLines}>
        <For each={props.lines.slice(0, MAX_SHOWN_LINES)}>
          {({ text, reason }) => (
            <li class={styles.line}>
              {text.slice(0, 300)}
              <Show when={reason}>
                {(reason) => <span class={styles.reason}>{urlProblemText(reason())}</span>}
              </Show>
            </li>
          )}
        </For>
        <Show when={props.lines.length > MAX_SHOWN_LINES}>
          <li class={styles.line}>{copy.more(formatCount(props.lines.length - MAX_SHOWN_LINES))}</li>
        </Show>
      </ul>
    </details>
  )
}

/** "www.a.test/x has no https://", "www.a.test/x and 2 more have no https://". */
function describeSchemeless([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return copy.schemeless(first)
  return copy.schemelessMore(first, others.length)
}

/** More would make the page long. They are all in the text. */
const MAX_SHOWN_LINES = 200
