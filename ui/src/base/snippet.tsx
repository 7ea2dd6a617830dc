import { CopyButton } from './copy-button.tsx'
import { isMac } from './platform.ts'
import styles from './snippet.module.css'
import { showToast } from './toasts.tsx'

/** A labelled block of code with a copy button. */
export function Snippet(props: { label: string; text: string; copyLabel: string; variant?: 'primary' }) {
  let code: HTMLElement | undefined
  const selectText = () => {
    if (code) getSelection()?.selectAllChildren(code)
    showToast({
      text: `Your browser didn’t allow copying. The text is selected: press ${isMac() ? '⌘' : 'Ctrl+'}C.`,
    })
  }
  return (
    <figure class={styles.snippet}>
      <figcaption class={styles.label}>{props.label}</figcaption>
      <div class={styles.box}>
        <pre class={styles.text}>
          <code ref={code}>{props.text}</code>
        </pre>
        <CopyButton
          variant={props.variant}
          label={props.copyLabel}
          text={() => props.text}
          onRefused={selectText}
        />
      </div>
    </figure>
  )
}
