import { onMount } from 'solid-js'
import type { NewApiKey } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { Snippet } from '../base/snippet.tsx'
import styles from './created-key.module.css'

/** A key that was just created, with its secret, which can't be shown again later. */
export function CreatedKey(props: { created: NewApiKey; onDone: () => void }) {
  let heading: HTMLHeadingElement | undefined
  onMount(() => heading?.focus())
  return (
    <section class={styles.createdKey} aria-labelledby="new-key">
      <div>
        <h2 ref={heading} id="new-key" class={styles.title} tabindex="-1">
          {props.created.name} is ready
        </h2>
        <p class={styles.lead}>Copy the key now and keep it like a password: it is shown only this once.</p>
      </div>
      <Snippet label="Key" text={props.created.key} copyLabel="Copy key" variant="primary" />
      <Snippet label="Try it in a terminal" text={curlCommand(props.created.key)} copyLabel="Copy command" />
      <div class={styles.footer}>
        <Button onClick={() => props.onDone()}>I have copied it</Button>
      </div>
    </section>
  )
}

/** Returns a command that creates an archive of one page. */
function curlCommand(key: string): string {
  return [
    `curl ${location.origin}/jobs`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"urls": ["https://example.org/"]}'`,
  ].join(' \\\n  ')
}
