import { controlsCopy } from '../language/english/controls.ts'
import { CopyButton } from './copy-button.tsx'
import { isMac } from './platform.ts'
import styles from './snippet.module.css'
import { showToast } from './toasts.tsx'

export interface SnippetProps {
  label: string
  text: string
  copyLabel: string
  variant?: 'primary'
  /** A line within other content, which says what the text is: the label is for screen readers only. */
  isCompact?: boolean
}

/** Code, or another text that a program needs unchanged, with a copy button. */
export function Snippet(props: SnippetProps) {
  let code: HTMLElement | undefined
  const selectText = () => {
    if (code) getSelection()?.selectAllChildren(code)
    showToast({
      text: controlsCopy.copyRefused(`${isMac() ? '⌘' : 'Ctrl+'}C`),
    })
  }
  return (
    <figure class={styles.snippet} data-size={props.isCompact ? 'compact' : undefined}>
      <figcaption class={props.isCompact ? 'visually-hidden' : styles.label}>{props.label}</figcaption>
      <div class={styles.box}>
        <pre class={styles.text}>
          <code ref={code}>{props.text}</code>
        </pre>
        <CopyButton
          variant={props.isCompact ? 'ghost' : props.variant}
          label={props.copyLabel}
          text={() => props.text}
          onRefused={selectText}
        />
      </div>
    </figure>
  )
}
