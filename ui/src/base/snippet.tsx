import { CopyButton } from './copy-button.tsx'
import styles from './snippet.module.css'

/** A labelled block of code with a copy button. */
export function Snippet(props: { label: string; text: string; copyLabel: string; variant?: 'primary' }) {
  return (
    <figure class={styles.snippet}>
      <figcaption class={styles.label}>{props.label}</figcaption>
      <div class={styles.box}>
        <pre class={styles.text}>
          <code>{props.text}</code>
        </pre>
        <CopyButton variant={props.variant} label={props.copyLabel} text={() => props.text} />
      </div>
    </figure>
  )
}
