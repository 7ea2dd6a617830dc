import { onMount } from 'solid-js'
import type { NewApiKey } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { Snippet } from '../base/snippet.tsx'
import styles from './key-secret.module.css'

/** A key that was just made, with its secret, which no later view can show. */
export function KeySecret(props: { created: NewApiKey; onDone: () => void }) {
  let heading: HTMLHeadingElement | undefined
  onMount(() => heading?.focus())
  return (
    <section class={styles.secret} aria-labelledby="new-key">
      <div>
        <h2 ref={heading} id="new-key" class={styles.title} tabindex="-1">
          {props.created.name} is ready
        </h2>
        <p class={styles.lead}>Copy the key now and keep it like a password: it is shown only this once.</p>
      </div>
      <Snippet label="Key" text={props.created.key} copyLabel="Copy key" variant="primary" />
      <Snippet label="Try it in a terminal" text={curlLine(props.created.key)} copyLabel="Copy command" />
      <div class={styles.foot}>
        <Button onClick={() => props.onDone()}>I have copied it</Button>
      </div>
    </section>
  )
}

/** Makes an archive of one page. */
function curlLine(key: string): string {
  return [
    `curl ${location.origin}/jobs`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"urls": ["https://example.org/"]}'`,
  ].join(' \\\n  ')
}
