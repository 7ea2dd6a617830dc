import Fold from 'lucide-solid/icons/list-chevrons-down-up'
import Unfold from 'lucide-solid/icons/list-chevrons-up-down'
import Search from 'lucide-solid/icons/search'
import { createEffect, createMemo, createSignal, onCleanup, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { Button, IconButton } from '../base/button.tsx'
import { formatCount } from '../base/format.ts'
import { lazyPart } from '../base/lazy-part.tsx'
import { showMixed } from '../base/mixed-checkbox.ts'
import { showToast } from '../base/toasts.tsx'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import { changeItems, draft, undo } from './draft.ts'
import type { DraftLink } from './draft-links.ts'
import type { DraftView } from './draft-view.ts'
import { inFolder } from './folders.ts'
import styles from './narrowing-bar.module.css'
import { restored } from './restored.ts'

const copy = newArchiveCopy.narrowing
const MoveDialog = lazyPart(async () => (await import('./move-dialog.tsx')).MoveDialog)

export interface NarrowingBarProps {
  view: DraftView
  links: readonly DraftLink[]
}

/** Finds files in the list, and changes those that are selected, or else all that are shown. */
export function NarrowingBar(props: NarrowingBarProps) {
  let all: HTMLInputElement | undefined
  const [moved, setMoved] = createSignal<readonly DraftLink[]>()
  const isSelection = () => props.view.selected().length > 0
  const chosen = () => (isSelection() ? props.view.selected() : props.view.shown())
  const isAll = () => props.view.selected().length === props.view.shown().length

  function keepOnly() {
    const kept = new Set(chosen())
    remove(props.links.filter((link) => !kept.has(link)))
  }

  function remove(links: readonly DraftLink[]) {
    change(links, copy.removed(links.length), (removed) =>
      draft().items.filter((item) => item.kind !== 'link' || !removed.has(item)),
    )
  }

  function move(links: readonly DraftLink[], folder: string) {
    change(links, folder === '' ? copy.movedToTop(links.length) : copy.moved(links.length, folder), (moved) =>
      draft().items.map((item) => (item.kind === 'link' && moved.has(item) ? inFolder(item, folder) : item)),
    )
  }

  /** Changes some links, and offers to undo this. */
  function change(
    links: readonly DraftLink[],
    text: string,
    changed: (links: ReadonlySet<DraftLink>) => ReturnType<typeof draft>['items'],
  ) {
    const before = draft().items
    changeItems(changed(new Set(links)))
    const after = draft().items
    props.view.select([])
    props.view.showAll()
    // The button that was pressed is gone.
    all?.focus()
    showToast({
      text,
      // What was done to the list since then stays.
      undo: () => (draft().items === after ? undo() : changeItems(restored(before, after, draft().items))),
    })
  }

  return (
    <div class={styles.bar}>
      <input
        type="checkbox"
        class={styles.all}
        aria-label={copy.selectAll}
        checked={isSelection() && isAll()}
        ref={(box) => {
          all = box
          showMixed(box, () => isSelection() && !isAll())
        }}
        onChange={({ currentTarget }) => props.view.select(currentTarget.checked ? props.view.shown() : [])}
      />
      <Filter view={props.view} />
      <Show when={props.view.folderCount() > 1}>
        <FoldAll view={props.view} />
      </Show>
      <Show when={isSelection() || props.view.isNarrowed()}>
        <fieldset class={styles.chosen} aria-label={copy.chosen}>
          <p class={styles.count} role="status">
            {isSelection()
              ? copy.selected(formatCount(props.view.selected().length))
              : copy.shown(formatCount(props.view.shown().length), formatCount(props.links.length))}
          </p>
          <div class={styles.actions}>
            <Button
              variant="ghost"
              disabled={chosen().length === 0 || chosen().length === props.links.length}
              onClick={keepOnly}
            >
              {copy.onlyThese}
            </Button>
            <Button variant="ghost" disabled={chosen().length === 0} onClick={() => remove(chosen())}>
              {copy.remove}
            </Button>
            <Button variant="ghost" disabled={chosen().length === 0} onClick={() => setMoved(chosen())}>
              {copy.moveToFolder}
            </Button>
            <Button
              variant="ghost"
              onClick={() => (isSelection() ? props.view.select([]) : props.view.showAll())}
            >
              {isSelection() ? copy.selectNone : copy.showAll}
            </Button>
          </div>
        </fieldset>
      </Show>
      <Show when={moved()}>
        {(links) => (
          <MoveDialog
            count={links().length}
            links={props.links}
            onMove={(folder) => move(links(), folder)}
            onClose={() => setMoved(undefined)}
          />
        )}
      </Show>
    </div>
  )
}

/** Folds all folders, or opens all once there is nothing to fold. */
function FoldAll(props: { view: DraftView }) {
  const isAllFolded = createMemo(() => props.view.isAllFolded())
  return (
    <IconButton
      label={isAllFolded() ? copy.unfoldAll : copy.foldAll}
      onClick={() => props.view.setAllFolded(!isAllFolded())}
    >
      <Dynamic component={isAllFolded() ? Unfold : Fold} size={18} aria-hidden="true" />
    </IconButton>
  )
}

/** A field that narrows the list when typing pauses. */
function Filter(props: { view: DraftView }) {
  let field: HTMLInputElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  // While somebody types, the field is ahead of the list.
  createEffect(() => {
    const text = props.view.text()
    if (field && (text === '' || document.activeElement !== field)) field.value = text
  })
  onCleanup(() => clearTimeout(timer))
  return (
    <search class={styles.filter}>
      <Search size={18} aria-hidden="true" />
      <input
        ref={field}
        type="search"
        aria-label={copy.filter}
        placeholder={copy.filterPlaceholder}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          clearTimeout(timer)
          timer = setTimeout(() => props.view.setText(currentTarget.value), TYPING_PAUSE_MS)
        }}
      />
    </search>
  )
}

/** To filter thousands of links at each key would delay typing. */
const TYPING_PAUSE_MS = 120
