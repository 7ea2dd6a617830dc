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

/** More would bury the rest of the page; mending these shows the next. */
const MAX_SHOWN_PROBLEMS = 50

export interface LinkReportProps {
  id: string
  links: ParsedLinks
  maxUrls: number | undefined
  onGoTo: (line: number) => void
  /** Changes the text by one of the ways to mend it. */
  onMend: (mend: (text: string) => string) => void
}

/** What the box holds: how many links, which lines are wrong and why, what is there twice. */
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
          {(most) => <span>of at most {formatCount(most())}</span>}
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
      <div class={styles.mends}>
        <Show when={props.links.problems.some((problem) => problem.lacksScheme)}>
          <Button variant="ghost" onClick={() => props.onMend(withSchemes)}>
            Add https://
          </Button>
        </Show>
        <Show when={props.links.problems.length > 0}>
          <Button variant="ghost" onClick={() => props.onMend(withoutProblems)}>
            Remove wrong lines
          </Button>
        </Show>
        <Show when={props.links.duplicates > 0}>
          <Button variant="ghost" onClick={() => props.onMend(withoutDuplicates)}>
            Remove duplicates
          </Button>
        </Show>
      </div>
      <Show when={props.links.problems.length > 0}>
        <Problems problems={props.links.problems} onGoTo={props.onGoTo} />
      </Show>
    </div>
  )
}

function Problems(props: { problems: readonly LineProblem[]; onGoTo: (line: number) => void }) {
  return (
    <ul class={styles.problems}>
      <For each={props.problems.slice(0, MAX_SHOWN_PROBLEMS)}>
        {(problem) => (
          <li>
            <button type="button" class={styles.problem} onClick={() => props.onGoTo(problem.line)}>
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
