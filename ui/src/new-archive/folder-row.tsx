import { createMemo } from 'solid-js'
import type { Folder } from '../base/file-tree.ts'
import { FolderToggle } from '../base/folder-toggle.tsx'
import { baseCopy } from '../language/english/base.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import type { ShownLink } from './draft-view.ts'
import { SelectBox, type SelectBoxProps } from './select-box.tsx'

export interface FolderRowProps extends Pick<SelectBoxProps, 'state' | 'onSelect' | 'onMoveSelecting'> {
  folder: Folder<ShownLink>
  isOpen: boolean
  onToggle: () => void
  /** Moves the focus by a number of rows. */
  onMove: (step: number) => void
  /** Moves the focus to the folder that this one is in. */
  onLeave: () => void
}

/** The content of a folder's row: its name, and how many files are in it. It can be folded, and selected as a whole. */
export function FolderRow(props: FolderRowProps) {
  const path = createMemo(() => props.folder.path.slice(0, -1))

  /** As in a tree: Right opens a folder or goes into it, Left folds it or goes out of it. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const act = {
      ArrowUp: () => props.onMove(-1),
      ArrowDown: () => props.onMove(1),
      ArrowRight: () => (props.isOpen ? props.onMove(1) : props.onToggle()),
      ArrowLeft: () => (props.isOpen ? props.onToggle() : props.onLeave()),
    }[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  return (
    <>
      <SelectBox
        label={newArchiveCopy.list.selectFolder(path())}
        depth={props.folder.depth}
        state={props.state}
        onSelect={(isRange) => props.onSelect(isRange)}
        onMoveSelecting={(step, isSelecting) => props.onMoveSelecting(step, isSelecting)}
      />
      <FolderToggle
        name={props.folder.name}
        details={baseCopy.files(props.folder.files.length)}
        isOpen={props.isOpen}
        onToggle={() => props.onToggle()}
        onKeyDown={onKeyDown}
      />
    </>
  )
}
