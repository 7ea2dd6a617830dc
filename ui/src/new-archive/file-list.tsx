import { batch, createEffect, createSignal, on, Show } from 'solid-js'
import type { RowKey } from '../base/row-focus.ts'
import { handleTreeKey, hasModifier } from '../base/tree-keys.ts'
import { type RowTarget, VirtualList } from '../base/virtual-list.tsx'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import type { MapTarget } from '../map/page-map.tsx'
import { changeItems, draft } from './draft.ts'
import { type DraftLink, withItem, withoutItem } from './draft-links.ts'
import type { DraftRow, DraftView, ShownLink } from './draft-view.ts'
import styles from './file-list.module.css'
import { FileRow } from './file-row.tsx'
import { FolderRow } from './folder-row.tsx'
import { renamed } from './folders.ts'

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

/** The recognised files, whose names can be edited, in their folders. */
export function FileList(props: FileListProps) {
  const [target, setTarget] = createSignal<RowTarget | null>(null)
  const rows = () => props.view.rows()
  const focusRow = (index: number, column: string) => {
    const lastIndex = rows().length - 1
    if (lastIndex >= 0)
      setTarget({ index: Math.max(0, Math.min(lastIndex, index)), column, isFromElsewhere: false })
  }
  const indexOf = (key: RowKey) => rows().findIndex((row) => keyOf(row) === key)
  createEffect(
    on(
      () => props.target,
      (target) => target && show(target.position),
      { defer: true },
    ),
  )

  /** A file that is not among the shown ones makes the list show all again, or its folders open. */
  function show(position: number) {
    const isShown = () => indexOf(position) !== -1
    if (!isShown()) props.view.unfold(position)
    if (!isShown()) {
      props.view.showAll()
      props.view.unfold(position)
    }
    setTarget({ index: indexOf(position), column: 'name', isFromElsewhere: true })
  }

  function rename({ link, folder, position }: ShownLink, typed: string, next: EventTarget | null) {
    const changed = renamed(link, folder, typed)
    if (changed.filename === link.filename) return
    const nextRow = next instanceof HTMLElement ? next.closest<HTMLElement>('[data-key]') : null
    const column = next instanceof HTMLElement ? next.dataset.column : undefined
    batch(() => {
      props.view.replace(link, changed)
      changeItems(withItem(draft().items, link, changed))
    })
    if (nextRow?.dataset.key !== String(position)) return
    // A row that goes to another folder loses the focus on the way.
    requestAnimationFrame(() => focusRow(indexOf(position), column ?? 'name'))
  }

  /** Shift is held while the focus moves between checkboxes. */
  function extend(from: number, to: number) {
    const passed = rows().slice(Math.min(from, to), Math.max(from, to) + 1)
    const last = rows()[to]
    if (last !== undefined) props.view.extend(passed.flatMap(linksOf), linksOf(last))
  }

  /** Enter in a name leads to the next one. */
  function onKey(index: number, event: KeyboardEvent): boolean {
    const { target } = event
    const isInName = target instanceof HTMLElement && target.matches('input[data-column="name"]')
    if (isInName && event.key === 'Enter' && !hasModifier(event)) return leaveName(index, target)
    return handleTreeKey(index, event, {
      rows: rows(),
      isFolded: props.view.isFolded,
      setFolded: props.view.setFolded,
      focusRow,
    })
  }

  /** The next row is the one that was next before the name led its file to another folder. */
  function leaveName(index: number, name: HTMLElement): boolean {
    const next = rows()[index + 1] ?? rows()[index]
    name.blur()
    if (next !== undefined) focusRow(indexOf(keyOf(next)), 'name')
    return true
  }

  function remove(index: number, link: DraftLink) {
    changeItems(withoutItem(draft().items, link))
    focusRow(index, 'remove')
  }

  function stateOf(row: DraftRow): 'all' | 'some' | 'none' {
    const links = linksOf(row)
    const count = props.view.countSelected(links)
    return count === 0 ? 'none' : count === links.length ? 'all' : 'some'
  }

  return (
    <VirtualList
      label={newArchiveCopy.list.files}
      items={rows()}
      keyOf={keyOf}
      rowClass={styles.row}
      target={target()}
      // What was focused before the paste is gone.
      takesFocus
      onHighlight={(row) => props.onHighlight(row?.kind === 'file' ? row.file.position : null)}
      onKey={onKey}
      onExtend={extend}
      hint={newArchiveCopy.list.hint(props.view.shown().length)}
    >
      {(row, index) => (
        <>
          <Show when={fileOf(row())}>
            {(file) => (
              <FileRow
                link={file().link}
                name={props.names(file().position)}
                position={file().position}
                depth={row().depth}
                isSelected={props.view.isSelected(file().link)}
                onSelect={(isRange) => props.view.toggle([file().link], isRange)}
                isDuplicate={props.duplicates.has(file().link)}
                onRename={(typed, next) => rename(file(), typed, next)}
                onRemove={() => remove(index(), file().link)}
                onLookInside={() => props.onLookInside(file().link)}
              />
            )}
          </Show>
          <Show when={folderOf(row())}>
            {(folder) => (
              <FolderRow
                folder={folder()}
                isOpen={!props.view.isFolded(folder().path)}
                state={stateOf(folder())}
                onSelect={(isRange) => props.view.toggle(linksOf(folder()), isRange)}
                onToggle={() => props.view.setFolded(folder().path, !props.view.isFolded(folder().path))}
              />
            )}
          </Show>
        </>
      )}
    </VirtualList>
  )
}

/** Files by their positions, since a renamed one is another object; folders by their paths. */
function keyOf(row: DraftRow): RowKey {
  return row.kind === 'file' ? row.file.position : row.path
}

function fileOf(row: DraftRow): ShownLink | null {
  return row.kind === 'file' ? row.file : null
}

function folderOf(row: DraftRow) {
  return row.kind === 'folder' ? row : null
}

function linksOf(row: DraftRow): readonly DraftLink[] {
  return row.kind === 'file' ? [row.file.link] : row.files.map(({ link }) => link)
}
