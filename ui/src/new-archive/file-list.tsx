import { batch, createEffect, createSignal, on } from 'solid-js'
import { type RowTarget, VirtualList } from '../base/virtual-list.tsx'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import type { MapTarget } from '../map/page-map.tsx'
import { changeItems, draft } from './draft.ts'
import { type DraftLink, withItem, withoutItem } from './draft-links.ts'
import type { DraftView } from './draft-view.ts'
import styles from './file-list.module.css'
import { FileRow } from './file-row.tsx'

export interface FileListProps {
  view: DraftView
  /** By position in the draft. */
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
  const links = () => props.view.shown()
  const positionOf = (row: number) => props.view.positions()?.[row] ?? row
  const focusRow = (index: number, control: string) => {
    const lastIndex = links().length - 1
    if (lastIndex >= 0)
      setTarget({ index: Math.max(0, Math.min(lastIndex, index)), control, isFromElsewhere: false })
  }
  createEffect(
    on(
      () => props.target,
      (target) => target && show(target.position),
      { defer: true },
    ),
  )

  /** A file that is not among the shown ones makes the list show all again. */
  function show(position: number) {
    const found = props.view.positions()?.indexOf(position) ?? position
    if (found === -1) props.view.showAll()
    setTarget({ index: found === -1 ? position : found, control: NAME, isFromElsewhere: true })
  }

  function rename(link: DraftLink, filename: string | null) {
    const renamed = { ...link, filename }
    batch(() => {
      props.view.replace(link, renamed)
      changeItems(withItem(draft().items, link, renamed))
    })
  }

  /** Moves between the checkboxes, and selects on the way if Shift is held. */
  function moveSelecting(index: number, step: number, isSelecting: boolean) {
    const next = links()[index + step]
    const current = links()[index]
    if (next === undefined || current === undefined) return
    if (isSelecting) props.view.extend(current, next)
    focusRow(index + step, CHECKBOX)
  }

  function remove(index: number, link: DraftLink) {
    changeItems(withoutItem(draft().items, link))
    focusRow(index, 'button:last-child')
  }

  return (
    <VirtualList
      label={newArchiveCopy.list.files}
      items={links()}
      rowClass={styles.row}
      target={target()}
      // What was focused before the paste is gone.
      takesFocus
      onHighlight={(row) => props.onHighlight(row === null ? null : positionOf(row))}
      hint={<p class="visually-hidden">{newArchiveCopy.list.hint(links().length)}</p>}
    >
      {(link, index) => (
        <FileRow
          link={link()}
          name={props.names(positionOf(index))}
          position={positionOf(index)}
          isSelected={props.view.isSelected(link())}
          onSelect={(isRange) => props.view.toggle(link(), isRange)}
          onMoveSelecting={(step, isSelecting) => moveSelecting(index, step, isSelecting)}
          isDuplicate={props.duplicates.has(link())}
          onRename={(filename) => rename(link(), filename)}
          onRemove={() => remove(index, link())}
          onLookInside={() => props.onLookInside(link())}
          onMove={(step) => focusRow(index + step, NAME)}
        />
      )}
    </VirtualList>
  )
}

/** The controls of a row, which keys move between. */
const NAME = 'input[type="text"]'
const CHECKBOX = 'input[type="checkbox"]'
