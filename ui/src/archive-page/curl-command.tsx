import { CopyButton } from '../base/copy-button.tsx'
import styles from './curl-command.module.css'

/** A curl command that downloads the archive. If it is interrupted, running it again resumes the download. */
export function CurlCommand(props: { url: string; filename: string }) {
  const command = () =>
    `curl --fail --continue-at - --output ${shellQuote(props.filename)} ${shellQuote(props.url)}`
  return (
    <figure class={styles.curl}>
      <figcaption class="visually-hidden">In a terminal</figcaption>
      <code class={styles.command}>{command()}</code>
      <CopyButton variant="ghost" label="Copy command" text={command} />
    </figure>
  )
}

/** Quotes text for a shell. Within single quotes only the single quote itself needs escaping. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
