import { createMemo, For } from 'solid-js'
import { type FileKind, KIND_LABELS, kindOfFile } from '../base/file-kind.ts'
import { formatCount } from '../base/format.ts'
import kindColours from '../base/kind-colours.module.css'
import type { MapEntry } from './entry-table.ts'
import styles from './kind-legend.module.css'

/** What the colours of the map of a finished archive mean: the kinds of its files, the most frequent first. */
export function KindLegend(props: { entries: readonly MapEntry[] }) {
  const kinds = createMemo(() => countKinds(props.entries))
  return (
    <ul class={styles.legend} aria-label="Kinds of files">
      <For each={kinds()}>
        {([kind, count]) => (
          <li class={styles.kind}>
            <span class={`${styles.swatch} ${kindColours.kind}`} data-kind={kind} aria-hidden="true" />
            {kindText(kind, count)}
          </li>
        )}
      </For>
    </ul>
  )
}

/** "12 images". */
export function kindText(kind: FileKind, count: number): string {
  const { one, many } = KIND_LABELS[kind]
  return `${formatCount(count)} ${count === 1 ? one.toLowerCase() : many}`
}

function countKinds(entries: readonly MapEntry[]): (readonly [FileKind, number])[] {
  const counts = new Map<FileKind, number>()
  for (const { status, name, url } of entries) {
    if (status !== 'stored') continue
    const kind = kindOfFile(name, url)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)
}
