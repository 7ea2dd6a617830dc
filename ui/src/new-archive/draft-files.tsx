import { createMemo, createSignal } from 'solid-js'
import styles from './draft-files.module.css'
import { type DraftLink, findDuplicates } from './draft-links.ts'
import { DraftMap } from './draft-map.tsx'
import { FileList } from './file-list.tsx'
import { ListSummary } from './list-summary.tsx'
import { createProposedNames } from './proposed-names.ts'

/** The recognised files as a list, and beside it the map of their archive. */
export function DraftFiles(props: { links: readonly DraftLink[]; onChooseFile: () => void }) {
  const names = createProposedNames(() => props.links)
  const duplicates = createMemo(() => findDuplicates(props.links))
  const [highlighted, setHighlighted] = createSignal<number | null>(null)
  const [target, setTarget] = createSignal<{ readonly index: number } | null>(null)
  return (
    <div class={styles.files}>
      <div class={styles.list}>
        <ListSummary
          linkCount={props.links.length}
          duplicateCount={duplicates().size}
          onChooseFile={() => props.onChooseFile()}
        />
        <FileList
          links={props.links}
          names={names}
          duplicates={duplicates()}
          target={target()}
          onHighlight={setHighlighted}
        />
      </div>
      <div class={styles.map}>
        <DraftMap
          links={props.links}
          highlighted={highlighted()}
          onSelect={(index) => setTarget({ index })}
        />
      </div>
    </div>
  )
}
