import { createEffect, createSignal, on } from 'solid-js'
import { type RowTarget, VirtualList } from '../base/virtual-list.tsx'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import type { MapTarget } from '../map/page-map.tsx'
import { changeItems, draft } from './draft.ts'
import { type DraftLink, withItem, withoutItem } from './draft-links.ts'
import styles from './file-list.module.css'
import { FileRow } from './file-row.tsx'

export interface FileListProps {
  links: readonly DraftLink[]
  names: (index: number) => string
  duplicates: ReadonlySet<DraftLink>
  /** The link to show and focus. Each new object shows it again. */
  target: MapTarget | null
  onHighlight: (index: number | null) => void
  onLookInside: (link: DraftLink) => void
}

/** The recognised files, whose names can be edited. */
export function FileList(props: FileListProps) {
  const [target, setTarget] = createSignal<RowTarget | null>(null)
  const focusRow = (index: number, control: string) => {
    const lastIndex = props.links.length - 1
    if (lastIndex >= 0)
      setTarget({ index: Math.max(0, Math.min(lastIndex, index)), control, isFromElsewhere: false })
  }
  createEffect(
    on(
      () => props.target,
      (target) => target && setTarget({ index: target.position, control: 'input', isFromElsewhere: true }),
      { defer: true },
    ),
  )

  function rename(link: DraftLink, filename: string | null) {
    changeItems(withItem(draft().items, link, { ...link, filename }))
  }

  function remove(index: number, link: DraftLink) {
    changeItems(withoutItem(draft().items, link))
    focusRow(index, 'button:last-child')
  }

  return (
    <VirtualList
      label={newArchiveCopy.list.files}
      items={props.links}
      rowClass={styles.row}
      target={target()}
      // What was focused before the paste is gone.
      takesFocus
      onHighlight={props.onHighlight}
      hint={<p class="visually-hidden">{newArchiveCopy.list.hint(props.links.length)}</p>}
    >
      {(link, index) => (
        <FileRow
          link={link()}
          name={props.names(index)}
          index={index}
          isDuplicate={props.duplicates.has(link())}
          onRename={(filename) => rename(link(), filename)}
          onRemove={() => remove(index, link())}
          onLookInside={() => props.onLookInside(link())}
          onMove={(step) => focusRow(index + step, 'input')}
        />
      )}
    </VirtualList>
  )
}
