import { createMemo, For, Show } from 'solid-js'
import { type FileKind, kindOfFile } from '../base/file-kind.ts'
import kindColours from '../base/kind-colours.module.css'
import { baseCopy } from '../language/english/base.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import type { DraftLink } from './draft-links.ts'
import styles from './kind-counts.module.css'

/** How many files there are of each kind, as the legend of the map. */
export function KindCounts(props: { links: readonly DraftLink[]; duplicateCount: number }) {
  const counts = createMemo(() => countKinds(props.links))
  return (
    <ul class={styles.kinds} aria-label={newArchiveCopy.list.kinds}>
      <For each={counts()}>
        {([kind, count]) => (
          <li class={styles.kind}>
            <span class={`${styles.swatch} ${kindColours.kind}`} data-kind={kind} aria-hidden="true" />
            {newArchiveCopy.list.kindCounts[kind](count)}
          </li>
        )}
      </For>
      <Show when={props.duplicateCount > 0}>
        <li class={styles.kind}>
          <span class={styles.swatch} data-kind="duplicate" aria-hidden="true" />
          {baseCopy.duplicates(props.duplicateCount)}
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
