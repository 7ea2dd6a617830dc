import ClipboardPaste from 'lucide-solid/icons/clipboard-paste'
import { createUniqueId, Show } from 'solid-js'
import { Button } from '../base/button.tsx'
import styles from './link-box.module.css'

export interface LinkBoxProps {
  text: string
  isDragging: boolean
  onText: (text: string) => void
  onChooseFile: () => void
}

/** The large target for links, and the text while it is typed or edited. */
export function LinkBox(props: LinkBoxProps) {
  const id = createUniqueId()
  return (
    <div class={styles.box} data-dragging={props.isDragging ? '' : undefined}>
      <textarea
        id={id}
        data-link-box=""
        class={styles.text}
        wrap="off"
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        value={props.text}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
      <div class={props.text === '' ? styles.invitation : 'visually-hidden'}>
        <ClipboardPaste size={32} aria-hidden="true" />
        <label for={id} class={styles.title}>
          Paste, drop or type links
        </label>
        <p class={styles.hint}>An e-mail, a web page, a table, JSON: every link in it is found.</p>
        <Show when={props.text === ''}>
          <Button onClick={() => props.onChooseFile()}>Choose a file</Button>
        </Show>
      </div>
    </div>
  )
}
