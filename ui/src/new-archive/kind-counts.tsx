import { createMemo, For, Show } from 'solid-js'
import { type FileKind, KIND_LABELS, kindOfFile } from '../base/file-kind.ts'
import { countOf, formatCount } from '../base/format.ts'
import kindColours from '../base/kind-colours.module.css'
import type { DraftLink } from './draft-links.ts'
import styles from './kind-counts.module.css'

/** How many files there are of each kind, as the legend of the map. */
export function KindCounts(props: { links: readonly DraftLink[]; duplicateCount: number }) {
  const counts = createMemo(() => countKinds(props.links))
  return (
    <ul class={styles.kinds} aria-label="Kinds of files">
      <For each={counts()}>
        {([kind, count]) => (
          <li class={styles.kind}>
            <span class={`${styles.swatch} ${kindColours.kind}`} data-kind={kind} aria-hidden="true" />
            {kindText(kind, count)}
          </li>
        )}
      </For>
      <Show when={props.duplicateCount > 0}>
        <li class={styles.kind}>
          <span class={styles.swatch} data-kind="duplicate" aria-hidden="true" />
          {countOf(props.duplicateCount, 'duplicate')}
        </li>
      </Show>
    </ul>
  )
}

/** The most frequent kind first. */
function countKinds(links: readonly DraftLink[]): (readonly [FileKind, number])[] {
  const counts = new Map<FileKind, number>()
  for (const { filename, url } of links) {
    const kind = kindOfFile(filename, url)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)
}

function kindText(kind: FileKind, count: number): string {
  const { one, many } = KIND_LABELS[kind]
  return `${formatCount(count)} ${count === 1 ? one.toLowerCase() : many}`
}
