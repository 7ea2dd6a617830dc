import { CopyButton } from './copy-button.tsx'
import styles from './snippet.module.css'

/** Text for a program or a terminal, to be copied whole. */
export function Snippet(props: { label: string; text: string; copyLabel: string; look?: 'primary' }) {
  return (
    <figure class={styles.snippet}>
      <figcaption class={styles.label}>{props.label}</figcaption>
      <div class={styles.box}>
        <pre class={styles.text}>
          <code>{props.text}</code>
        </pre>
        <CopyButton look={props.look} label={props.copyLabel} text={() => props.text} />
      </div>
    </figure>
  )
}
