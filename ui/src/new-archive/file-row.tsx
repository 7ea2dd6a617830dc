import ListTree from 'lucide-solid/icons/list-tree'
import X from 'lucide-solid/icons/x'
import { createEffect, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { IconButton } from '../base/button.tsx'
import { kindOfFile } from '../base/file-kind.ts'
import { formatCount } from '../base/format.ts'
import { KIND_ICONS } from '../base/kind-icon.ts'
import { useRowTabIndex } from '../base/row-focus.ts'
import { controlsCopy } from '../language/english/controls.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import { mayBePage } from './chosen-links.ts'
import { type DraftLink, shortHostOf } from './draft-links.ts'
import styles from './file-list.module.css'
import { baseName } from './folders.ts'
import { SelectBox, type SelectBoxProps } from './select-box.tsx'

export interface FileRowProps extends Pick<SelectBoxProps, 'onSelect'> {
  link: DraftLink
  /** The given name, or the expected one, with its folders. */
  name: string
  /** In the draft. */
  position: number
  /** How many folders it is in. */
  depth: number
  isSelected: boolean
  isDuplicate: boolean
  /** With what was typed in place of the name without its folders, and what has the focus next. */
  onRename: (typed: string, next: EventTarget | null) => void
  onRemove: () => void
  /** Shows the links of the page that the link leads to. */
  onLookInside: () => void
}

/** The content of a recognised file's row: its kind, its name in a text field, and its host. */
export function FileRow(props: FileRowProps) {
  const tabIndex = useRowTabIndex()
  let field: HTMLInputElement | undefined
  /** What the field contains until somebody types in it. */
  let given = ''
  const kind = () => kindOfFile(props.name, props.link.url)

  // A name that is being typed stays, whatever happens to the list meanwhile.
  createEffect(() => {
    const isTyped = field === document.activeElement && field?.value !== given
    given = baseName(props.name)
    if (field !== undefined && !isTyped) field.value = given
  })

  function rename(field: HTMLInputElement, next: EventTarget | null) {
    const typed = field.value.trim()
    if (typed === given) return
    // Until the new name is known, and if it is the old one.
    field.value = given
    props.onRename(typed, next)
  }

  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLInputElement }) {
    const { key, currentTarget } = event
    if (event.isComposing) return
    if (key === 'Escape') currentTarget.value = given
    // Ctrl+Enter packs, with the name as it is typed now.
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) rename(currentTarget, null)
  }

  return (
    <>
      <SelectBox
        label={newArchiveCopy.list.select(props.name)}
        depth={props.depth}
        state={props.isSelected ? 'all' : 'none'}
        onSelect={(isRange) => props.onSelect(isRange)}
      />
      <span class={styles.kind} title={controlsCopy.kinds[kind()]}>
        <Dynamic component={KIND_ICONS[kind()]} size={18} aria-hidden="true" />
        <span class="visually-hidden">{controlsCopy.kinds[kind()]}</span>
      </span>
      <input
        ref={field}
        type="text"
        class={styles.name}
        data-column="name"
        tabindex={tabIndex()}
        aria-label={newArchiveCopy.list.nameOfFile(formatCount(props.position + 1))}
        spellcheck={false}
        autocomplete="off"
        title={props.link.url}
        on:keydown={onKeyDown}
        onBlur={(event) => rename(event.currentTarget, event.relatedTarget)}
      />
      <Show when={props.isDuplicate}>
        <span class={styles.duplicate}>{newArchiveCopy.list.duplicate}</span>
      </Show>
      <span class={styles.host} title={props.link.url}>
        {shortHostOf(props.link.url)}
      </span>
      <Show when={mayBePage(props.link.url)}>
        <button
          type="button"
          class={styles.look}
          data-column="look-inside"
          tabindex={tabIndex()}
          onClick={() => props.onLookInside()}
        >
          <ListTree size={18} aria-hidden="true" />
          <span class={styles.lookText}>
            {newArchiveCopy.list.lookInside}
            <span class="visually-hidden"> {props.name}</span>
          </span>
        </button>
      </Show>
      <IconButton
        label={newArchiveCopy.list.remove(props.name)}
        data-column="remove"
        tabindex={tabIndex()}
        onClick={() => props.onRemove()}
      >
        <X size={18} aria-hidden="true" />
      </IconButton>
    </>
  )
}
