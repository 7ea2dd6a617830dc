import { batch, createEffect, createSignal, on, Show } from 'solid-js'
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
  const focusRow = (index: number, control: string) => {
    const lastIndex = rows().length - 1
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

  /** A file that is not among the shown ones makes the list show all again, or its folders open. */
  function show(position: number) {
    const isShown = () => rows().some((row) => keyOf(row) === position)
    if (!isShown()) props.view.unfold(position)
    if (!isShown()) {
      props.view.showAll()
      props.view.unfold(position)
    }
    const index = rows().findIndex((row) => keyOf(row) === position)
    setTarget({ index, control: NAME, isFromElsewhere: true })
  }

  function rename({ link, folder, position }: ShownLink, typed: string, next: EventTarget | null) {
    const changed = renamed(link, folder, typed)
    if (changed.filename === link.filename) return
    const control = [CHECKBOX, REMOVE, BUTTON].find(
      (control) => next instanceof Element && next.matches(control),
    )
    const isInRow = next instanceof Element && next.closest(`[data-key="${position}"]`) !== null
    batch(() => {
      props.view.replace(link, changed)
      changeItems(withItem(draft().items, link, changed))
    })
    // A row that goes to another folder loses the focus on the way.
    const index = rows().findIndex((row) => keyOf(row) === position)
    if (isInRow && index !== -1) focusRow(index, control ?? NAME)
  }

  /** Moves the focus. The row may have another place by then, because a file that was renamed on the way goes to another folder. */
  function move(index: number, control: string) {
    const row = rows()[Math.max(0, Math.min(rows().length - 1, index))]
    if (row === undefined) return
    const key = keyOf(row)
    queueMicrotask(() => {
      const found = rows().findIndex((row) => keyOf(row) === key)
      if (found !== -1) focusRow(found, control)
    })
  }

  /** Moves between the checkboxes, and selects on the way if Shift is held. */
  function moveSelecting(index: number, step: number, isSelecting: boolean) {
    const next = rows()[index + step]
    const current = rows()[index]
    if (next === undefined || current === undefined) return
    if (isSelecting) props.view.extend(linksOf(current), linksOf(next))
    focusRow(index + step, CHECKBOX)
  }

  function remove(index: number, link: DraftLink) {
    changeItems(withoutItem(draft().items, link))
    focusRow(index, REMOVE)
  }

  function leave(index: number, depth: number) {
    const outer = rows().findLastIndex((row, at) => at < index && row.depth < depth)
    if (outer !== -1) focusRow(outer, NAME)
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
      hint={<p class="visually-hidden">{newArchiveCopy.list.hint(props.view.shown().length)}</p>}
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
                onMoveSelecting={(step, isSelecting) => moveSelecting(index(), step, isSelecting)}
                isDuplicate={props.duplicates.has(file().link)}
                onRename={(typed, next) => rename(file(), typed, next)}
                onRemove={() => remove(index(), file().link)}
                onLookInside={() => props.onLookInside(file().link)}
                onMove={(step) => move(index() + step, NAME)}
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
                onMoveSelecting={(step, isSelecting) => moveSelecting(index(), step, isSelecting)}
                onToggle={() => props.view.setFolded(folder().path, !props.view.isFolded(folder().path))}
                onMove={(step) => move(index() + step, NAME)}
                onLeave={() => leave(index(), folder().depth)}
              />
            )}
          </Show>
        </>
      )}
    </VirtualList>
  )
}

/** Files by their positions, since a renamed one is another object; folders by their paths. */
function keyOf(row: DraftRow): number | string {
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

/** The controls of a row, which keys move between: the first is the name of a file, or the button with that of a folder. */
const NAME = 'input[type="text"], [aria-expanded]'
const CHECKBOX = 'input[type="checkbox"]'
const REMOVE = 'button:last-child'
const BUTTON = 'button'
