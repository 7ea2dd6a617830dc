import Search from 'lucide-solid/icons/search'
import { createEffect, onCleanup } from 'solid-js'
import { useShortcut } from '../base/shortcuts.ts'
import { archiveListCopy } from '../language/english/archive-list.ts'
import styles from './archive-search.module.css'

export interface ArchiveSearchProps {
  text: string
  /** Called when typing pauses. */
  onText: (text: string) => void
}

/** The field to search for archives by their names, hosts and links. */
export function ArchiveSearch(props: ArchiveSearchProps) {
  let input: HTMLInputElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  useShortcut({ keys: ['/'], label: archiveListCopy.search, run: () => input?.focus() })
  // While somebody types, the field is ahead of what is searched for.
  createEffect(() => {
    const { text } = props
    if (input && document.activeElement !== input) input.value = text
  })
  onCleanup(() => clearTimeout(timer))

  function search(text: string, delayMs: number) {
    clearTimeout(timer)
    timer = setTimeout(() => props.onText(text.trim()), delayMs)
  }

  return (
    <search class={styles.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          search(input?.value ?? '', 0)
        }}
      >
        <Search size={18} aria-hidden="true" />
        <input
          ref={input}
          type="search"
          aria-label={archiveListCopy.search}
          placeholder={archiveListCopy.searchPlaceholder}
          maxlength="255"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => search(event.currentTarget.value, TYPING_PAUSE_MS)}
        />
      </form>
    </search>
  )
}

/** Shorter than the pause before somebody looks at the result. */
const TYPING_PAUSE_MS = 200
