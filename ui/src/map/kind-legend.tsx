import { createMemo, For } from 'solid-js'
import { type FileKind, kindOfFile } from '../base/file-kind.ts'
import kindColours from '../base/kind-colours.module.css'
import { controlsCopy } from '../language/english/controls.ts'
import { statusOf } from './entry-status.ts'
import type { MapEntry } from './entry-table.ts'
import styles from './kind-legend.module.css'

/** What the colours of the map of a finished archive mean: the kinds of its files, the most frequent first. */
export function KindLegend(props: { entries: readonly MapEntry[] }) {
  const kinds = createMemo(() => countKinds(props.entries))
  return (
    <ul class={styles.legend} aria-label={controlsCopy.kindsOfFiles}>
      <For each={kinds()}>
        {([kind, count]) => (
          <li class={styles.kind}>
            <span class={`${styles.swatch} ${kindColours.kind}`} data-kind={kind} aria-hidden="true" />
            {controlsCopy.kindCounts[kind](count)}
          </li>
        )}
      </For>
    </ul>
  )
}

function countKinds(entries: readonly MapEntry[]): (readonly [FileKind, number])[] {
  const counts = new Map<FileKind, number>()
  for (const entry of entries) {
    // Those to check have their own colour.
    if (statusOf(entry) !== 'stored') continue
    const kind = kindOfFile(entry.name, entry.url)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)
}
