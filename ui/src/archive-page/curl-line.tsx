import { CopyButton } from '../base/copy-button.tsx'
import styles from './curl-line.module.css'

/** The same download for a terminal; run again, it goes on where it was cut off. */
export function CurlLine(props: { url: string; filename: string }) {
  const command = () => `curl --fail --continue-at - --output ${quoted(props.filename)} ${quoted(props.url)}`
  return (
    <figure class={styles.curl}>
      <figcaption class={styles.label}>In a terminal</figcaption>
      <code class={styles.command} title={command()}>
        {command()}
      </code>
      <CopyButton variant="ghost" label="Copy command" text={command} />
    </figure>
  )
}

/** In single quotes a shell takes everything as it is, but for a single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
