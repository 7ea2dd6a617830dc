import ClipboardPaste from 'lucide-solid/icons/clipboard-paste'
import { createEffect, createUniqueId, Show } from 'solid-js'
import { Button } from '../base/button.tsx'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import { EditableText } from './editable-text.ts'
import styles from './link-box.module.css'

export interface LinkBoxProps {
  text: string
  isDragging: boolean
  onText: (text: string) => void
  onChooseFile: () => void
}

/** The large target for links, and the text while it is typed or edited. */
export function LinkBox(props: LinkBoxProps) {
  const labelId = createUniqueId()
  let field: EditableText | undefined
  createEffect(() => {
    const { text } = props
    // What is being typed is there already, and replacing it would move the cursor.
    if (field !== undefined && field.value !== text) field.value = text
  })
  return (
    <div class={styles.box} data-dragging={props.isDragging ? '' : undefined}>
      <div
        ref={(element) => {
          field = new EditableText(element)
        }}
        {...textField(labelId)}
        data-link-box=""
        class={styles.text}
        spellcheck={false}
        autocapitalize="off"
        onInput={() => field !== undefined && props.onText(field.value)}
      />
      <div class={props.text === '' ? styles.invitation : 'visually-hidden'}>
        <ClipboardPaste size={32} aria-hidden="true" />
        <p id={labelId} class={styles.title}>
          {newArchiveCopy.box.title}
        </p>
        {/* Not beside a text: hidden there, these lines would be laid out again with each key. */}
        <Show when={props.text === ''}>
          <p class={styles.hint}>{newArchiveCopy.box.text}</p>
          <Button onClick={() => props.onChooseFile()}>{newArchiveCopy.box.choose}</Button>
        </Show>
      </div>
    </div>
  )
}

/** An editable element is faster than a text area. `EditableText` says why. */
function textField(labelId: string) {
  return {
    role: 'textbox',
    tabindex: '0',
    contenteditable: 'plaintext-only',
    'aria-multiline': 'true',
    'aria-labelledby': labelId,
  } as const
}
