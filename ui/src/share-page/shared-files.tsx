import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import { createMemo, createSignal, For, Match, Show, Switch } from 'solid-js'
import { createRepeatedRequest } from '../api/repeated-request.ts'
import { listSharedFiles } from '../api/shared.ts'
import type { SharedFile } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { type TreeRow, treeRows, unfoldedRows } from '../base/file-tree.ts'
import { lazyPart } from '../base/lazy-part.tsx'
import { createListFocus } from '../base/list-focus.ts'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { messageOf } from '../base/message.ts'
import { onVisible } from '../base/on-visible.ts'
import { createPrinting } from '../base/printing.ts'
import { CurrentRowProvider, type RowKey } from '../base/row-focus.ts'
import { handleTreeKey } from '../base/tree-keys.ts'
import { baseCopy } from '../language/english/base.ts'
import { sharePageCopy } from '../language/english/share-page.ts'
import { canPreview } from '../preview/preview-kind.ts'
import { SharedFileRow } from './file-row.tsx'
import { SharedFolderRow } from './folder-row.tsx'
import type { FileSelection } from './selection.ts'
import styles from './shared-files.module.css'

const FileSelectionBar = lazyPart(async () => (await import('./selection-bar.tsx')).FileSelectionBar)
const PreviewDialog = lazyPart(async () => (await import('../preview/preview-dialog.tsx')).PreviewDialog)

export interface SharedFilesProps {
  token: string
  /** How many there are. Until they are loaded, the list takes about as much room, so that nothing below it moves. */
  count: number
  selection: FileSelection
}

/** The files of a finished archive. */
export function SharedFiles(props: SharedFilesProps) {
  const files = createRepeatedRequest(
    async (signal) => ({ list: await listSharedFiles(props.token, signal) }),
    () => REFRESH_MS,
  )
  return (
    <Switch
      fallback={
        <div class={styles.loading} style={{ '--rows': Math.min(props.count, ROWS_PER_STEP) }}>
          <Card>
            <ListSkeleton />
          </Card>
        </div>
      }
    >
      <Match when={files.value()}>
        {(found) => <FoundFiles files={found().list} token={props.token} selection={props.selection} />}
      </Match>
      <Match when={files.error()}>
        {(error) => (
          <Card>
            <ListError message={messageOf(error())} onRetry={files.refresh} />
          </Card>
        )}
      </Match>
    </Switch>
  )
}

function FoundFiles(props: { files: readonly SharedFile[]; token: string; selection: FileSelection }) {
  const tree = createMemo(() => treeRows(props.files))
  const folderCount = createMemo(() => tree().filter(({ kind }) => kind === 'folder').length)
  const opensAll = () => props.files.length <= MAX_OPEN_FILES || folderCount() === 1
  /** Folders that are not as they are at first. */
  const [toggled, setToggled] = createSignal<ReadonlySet<string>>(new Set())
  const isOpen = (path: string) => opensAll() !== toggled().has(path)
  const toggle = (path: string) =>
    setToggled((toggled) => (toggled.has(path) ? without(toggled, path) : new Set([...toggled, path])))
  const rows = createMemo(() => unfoldedRows(tree(), (path) => !isOpen(path)))
  const [shownCount, setShownCount] = createSignal(ROWS_PER_STEP)
  const isPrinting = createPrinting()
  const shown = createMemo(() => (isPrinting() ? rows() : rows().slice(0, shownCount())))
  let list: HTMLUListElement | undefined
  /** Of the rows that are shown: at the last of them, the page grows. */
  const rowFocus = createListFocus({
    items: shown,
    keyOf,
    list: () => list,
    onKey: (index, event) =>
      handleTreeKey(index, event, {
        rows: shown(),
        isFolded: (path) => !isOpen(path),
        setFolded: toggle,
        focusRow: (index, column) => rowFocus.focus(index, column, false),
      }),
  })
  const [previewed, setPreviewed] = createSignal<number | null>(null)
  const viewable = createMemo(() =>
    rows().flatMap((row) => (row.kind === 'file' && canPreview(row.file) ? [row.file] : [])),
  )
  const wrong = createMemo(() => props.files.filter(({ warning }) => warning !== null).length)
  return (
    <section aria-labelledby="files">
      <div class={styles.header}>
        <h2 id="files" class={styles.title}>
          {sharePageCopy.files}
        </h2>
        <Show when={props.files.length > 1}>
          <Button
            variant="ghost"
            aria-pressed={props.selection.isOn()}
            onClick={() => (props.selection.isOn() ? props.selection.end() : props.selection.begin())}
          >
            {sharePageCopy.select}
          </Button>
        </Show>
      </div>
      <Show when={wrong() > 0}>
        <p class={styles.warning}>
          <TriangleAlert size={18} aria-hidden="true" />
          {sharePageCopy.wrong(wrong())}
        </p>
      </Show>
      <Card>
        <ul
          ref={list}
          aria-label={sharePageCopy.files}
          aria-describedby="keys"
          on:keydown={rowFocus.onKeyDown}
        >
          <For each={shown()}>
            {(row, index) => (
              <CurrentRowProvider value={() => index() === rowFocus.current()}>
                {row.kind === 'folder' ? (
                  <SharedFolderRow
                    folder={row}
                    files={props.files}
                    token={props.token}
                    isOpen={isOpen(row.path)}
                    selection={props.selection}
                    onToggle={() => toggle(row.path)}
                    onFocus={() => rowFocus.enter(row.path)}
                  />
                ) : (
                  <SharedFileRow
                    file={row.file}
                    depth={row.depth}
                    token={props.token}
                    selection={props.selection}
                    onFocus={() => rowFocus.enter(row.file.position)}
                    onPreview={() => setPreviewed(row.file.position)}
                  />
                )}
              </CurrentRowProvider>
            )}
          </For>
        </ul>
        <p id="keys" class="visually-hidden">
          {baseCopy.rowKeys}
        </p>
      </Card>
      <Show when={rows().length > shownCount()}>
        <div
          class={styles.more}
          ref={(element) =>
            onVisible(element, shownCount, () => setShownCount((count) => count + ROWS_PER_STEP))
          }
        >
          <Button onClick={() => setShownCount((count) => count + ROWS_PER_STEP)}>{baseCopy.showMore}</Button>
        </div>
      </Show>
      <Show when={props.selection.isOn()}>
        <FileSelectionBar files={props.files} token={props.token} selection={props.selection} />
      </Show>
      <Show when={previewed() !== null}>
        <PreviewDialog
          files={viewable()}
          token={props.token}
          start={previewed() ?? 0}
          onClose={() => setPreviewed(null)}
        />
      </Show>
    </section>
  )
}

function keyOf(row: TreeRow<SharedFile>): RowKey {
  return row.kind === 'folder' ? row.path : row.file.position
}

function without(paths: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const rest = new Set(paths)
  rest.delete(path)
  return rest
}

/** With more files, folders are closed at first. */
const MAX_OPEN_FILES = 50
/** The page grows by so many rows when its end comes into view, so that thousands of files don't delay it. */
const ROWS_PER_STEP = 100
/** The files of a finished archive stay as they are. */
const REFRESH_MS = 86_400_000
