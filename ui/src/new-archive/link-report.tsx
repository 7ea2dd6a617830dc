import { createMemo, For, Show } from 'solid-js'
import { Button } from '../base/button.tsx'
import { countOf, formatCount } from '../base/format.ts'
import styles from './link-report.module.css'
import {
  type LineProblem,
  type ParsedLinks,
  withoutDuplicates,
  withoutProblems,
  withSchemes,
} from './parse-links.ts'

/** More would push the rest of the page far down. Fixing the shown ones reveals the next. */
const MAX_SHOWN_PROBLEMS = 50

export interface LinkReportProps {
  id: string
  links: ParsedLinks
  maxUrls: number | undefined
  onSelectLine: (line: number) => void
  /** Called with a function that fixes the text. */
  onFix: (fix: (text: string) => string) => void
}

/** A summary of the pasted text: the number of links and duplicates, and the lines with problems. */
export function LinkReport(props: LinkReportProps) {
  const excess = createMemo(() => props.links.links.length - (props.maxUrls ?? Number.POSITIVE_INFINITY))
  return (
    <div class={styles.report}>
      <p id={props.id} class={styles.summary} role="status">
        <span class={styles.count}>
          <Show when={props.links.links.length > 0} fallback="No links yet">
            {countOf(props.links.links.length, 'link')}
          </Show>
        </span>
        <Show when={excess() <= 0 && props.maxUrls}>
          {(limit) => <span>of at most {formatCount(limit())}</span>}
        </Show>
        <Show when={props.links.problems.length > 0}>
          <span class={styles.danger}>{countOf(props.links.problems.length, 'problem')}</span>
        </Show>
        <Show when={excess() > 0}>
          <span class={styles.danger}>
            {formatCount(excess())} more than the {formatCount(props.maxUrls ?? 0)} your plan allows
          </span>
        </Show>
        <Show when={props.links.duplicates > 0}>
          <span class={styles.warning}>{countOf(props.links.duplicates, 'duplicate')}</span>
        </Show>
      </p>
      <div class={styles.fixes}>
        <Show when={props.links.problems.some((problem) => problem.isSchemeMissing)}>
          <Button variant="ghost" onClick={() => props.onFix(withSchemes)}>
            Add https://
          </Button>
        </Show>
        <Show when={props.links.problems.length > 0}>
          <Button variant="ghost" onClick={() => props.onFix(withoutProblems)}>
            Remove wrong lines
          </Button>
        </Show>
        <Show when={props.links.duplicates > 0}>
          <Button variant="ghost" onClick={() => props.onFix(withoutDuplicates)}>
            Remove duplicates
          </Button>
        </Show>
      </div>
      <Show when={props.links.problems.length > 0}>
        <Problems problems={props.links.problems} onSelectLine={props.onSelectLine} />
      </Show>
    </div>
  )
}

function Problems(props: { problems: readonly LineProblem[]; onSelectLine: (line: number) => void }) {
  return (
    <ul class={styles.problems}>
      <For each={props.problems.slice(0, MAX_SHOWN_PROBLEMS)}>
        {(problem) => (
          <li>
            <button type="button" class={styles.problem} onClick={() => props.onSelectLine(problem.line)}>
              <span class={styles.line}>Line {formatCount(problem.line)}</span>
              <span class={styles.reason}>{problem.reason}</span>
              <span class={styles.text}>{problem.text}</span>
            </button>
          </li>
        )}
      </For>
      <Show when={props.problems.length > MAX_SHOWN_PROBLEMS}>
        <li class={styles.more}>and {formatCount(props.problems.length - MAX_SHOWN_PROBLEMS)} more</li>
      </Show>
    </ul>
  )
}
