import { createMemo } from 'solid-js'
import type { Folder } from '../base/file-tree.ts'
import { FolderToggle } from '../base/folder-toggle.tsx'
import { baseCopy } from '../language/english/base.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import type { ShownLink } from './draft-view.ts'
import { SelectBox, type SelectBoxProps } from './select-box.tsx'

export interface FolderRowProps extends Pick<SelectBoxProps, 'state' | 'onSelect'> {
  folder: Folder<ShownLink>
  isOpen: boolean
  onToggle: () => void
}

/** The content of a folder's row: its name, and how many files are in it. It can be folded, and selected as a whole. */
export function FolderRow(props: FolderRowProps) {
  const path = createMemo(() => props.folder.path.slice(0, -1))

  return (
    <>
      <SelectBox
        label={newArchiveCopy.list.selectFolder(path())}
        depth={props.folder.depth}
        state={props.state}
        onSelect={(isRange) => props.onSelect(isRange)}
      />
      <FolderToggle
        name={props.folder.name}
        details={baseCopy.files(props.folder.files.length)}
        isOpen={props.isOpen}
        onToggle={() => props.onToggle()}
      />
    </>
  )
}
