import ListTree from 'lucide-solid/icons/list-tree'
import X from 'lucide-solid/icons/x'
import { createEffect, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { IconButton } from '../base/button.tsx'
import { kindOfFile } from '../base/file-kind.ts'
import { formatCount } from '../base/format.ts'
import { KIND_ICONS } from '../base/kind-icon.ts'
import { controlsCopy } from '../language/english/controls.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import { mayBePage } from './chosen-links.ts'
import { type DraftLink, hostOf } from './draft-links.ts'
import styles from './file-list.module.css'

export interface FileRowProps {
  link: DraftLink
  /** The given name, or the expected one. */
  name: string
  /** In the draft. */
  position: number
  isSelected: boolean
  /** Selects the file, or no longer; with all up to the one that was selected before, if `isRange`. */
  onSelect: (isRange: boolean) => void
  /** Moves between the checkboxes by a number of rows, and selects on the way if Shift is held. */
  onMoveSelecting: (step: number, isSelecting: boolean) => void
  isDuplicate: boolean
  onRename: (filename: string | null) => void
  onRemove: () => void
  /** Shows the links of the page that the link leads to. */
  onLookInside: () => void
  /** Moves the focus by a number of rows. */
  onMove: (step: number) => void
}

/** The content of a recognised file's row: its kind, its name in a text field, and its host. */
export function FileRow(props: FileRowProps) {
  let field: HTMLInputElement | undefined
  /** What the field contains until somebody types in it. */
  let given = ''
  const kind = () => kindOfFile(props.name, props.link.url)

  // A name that is being typed stays, whatever happens to the list meanwhile.
  createEffect(() => {
    const isTyped = field === document.activeElement && field?.value !== given
    given = props.name
    if (field !== undefined && !isTyped) field.value = given
  })

  function rename(field: HTMLInputElement) {
    const typed = field.value.trim()
    // A folder alone is where the file goes, and not its name.
    const name = /[^/]\/$/.test(typed) ? typed + props.name.slice(props.name.lastIndexOf('/') + 1) : typed
    if (name !== typed) field.value = name
    if (name === props.name) return
    if (name === '') field.value = props.name
    if (name !== '' || props.link.filename !== null) props.onRename(name === '' ? null : name)
  }

  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLInputElement }) {
    // Ctrl+Enter packs, with the name as it is typed now.
    if (event.key === 'Enter') rename(event.currentTarget)
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') event.currentTarget.value = props.name
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' || event.key === 'Enter' ? 1 : 0
    if (step === 0) return
    event.preventDefault()
    props.onMove(step)
  }

  function onCheckboxKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    // The browser toggles a checkbox when the key is released, and doesn't say that Shift was held.
    const isRange = event.key === ' ' && event.shiftKey
    if (step === 0 && !isRange) return
    event.preventDefault()
    if (event.type === 'keyup') return
    if (isRange) props.onSelect(true)
    else props.onMoveSelecting(step, event.shiftKey)
  }

  return (
    <>
      {/* Around the checkbox, so that a finger hits it. */}
      <label
        class={styles.check}
        // With Shift, the browser would select the text of the rows.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      >
        <span class="visually-hidden">Select {props.name}</span>
        <input
          type="checkbox"
          checked={props.isSelected}
          onClick={(event) => {
            // The state of the view decides what is checked.
            const { currentTarget, shiftKey } = event
            currentTarget.focus()
            props.onSelect(shiftKey)
            queueMicrotask(() => {
              currentTarget.checked = props.isSelected
            })
          }}
          on:keydown={onCheckboxKey}
          on:keyup={onCheckboxKey}
        />
      </label>
      <span class={styles.kind} title={controlsCopy.kinds[kind()]}>
        <Dynamic component={KIND_ICONS[kind()]} size={18} aria-hidden="true" />
        <span class="visually-hidden">{controlsCopy.kinds[kind()]}</span>
      </span>
      <input
        ref={field}
        type="text"
        class={styles.name}
        aria-label={newArchiveCopy.list.nameOfFile(formatCount(props.position + 1))}
        spellcheck={false}
        autocomplete="off"
        title={props.link.url}
        on:keydown={onKeyDown}
        onBlur={(event) => rename(event.currentTarget)}
      />
      <Show when={props.isDuplicate}>
        <span class={styles.duplicate}>{newArchiveCopy.list.duplicate}</span>
      </Show>
      <span class={styles.host} title={props.link.url}>
        {hostOf(props.link.url)}
      </span>
      <Show when={mayBePage(props.link.url)}>
        <button type="button" class={styles.look} onClick={() => props.onLookInside()}>
          <ListTree size={18} aria-hidden="true" />
          <span class={styles.lookText}>
            {newArchiveCopy.list.lookInside}
            <span class="visually-hidden"> {props.name}</span>
          </span>
        </button>
      </Show>
      <IconButton label={newArchiveCopy.list.remove(props.name)} onClick={() => props.onRemove()}>
        <X size={18} aria-hidden="true" />
      </IconButton>
    </>
  )
}
