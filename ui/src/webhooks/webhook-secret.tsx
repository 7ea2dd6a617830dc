import { onMount } from 'solid-js'
import { Button } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { Snippet } from '../base/snippet.tsx'
import styles from './webhook-secret.module.css'

export interface WebhookSecretProps {
  title: string
  secret: string
  onDone: () => void
}

/** The secret of a webhook that was just added or got a new one. It can't be shown again later. */
export function WebhookSecret(props: WebhookSecretProps) {
  let heading: HTMLHeadingElement | undefined
  onMount(() => heading?.focus())
  return (
    <Card isPadded>
      <section class={styles.secret} aria-labelledby="webhook-secret">
        <div>
          <h2 ref={heading} id="webhook-secret" class={styles.title} tabindex="-1">
            {props.title}
          </h2>
          <p class={styles.lead}>
            Your program needs this secret to check that a message comes from Holdall (
            <a href="https://www.standardwebhooks.com" target="_blank" rel="noopener noreferrer">
              Standard Webhooks
            </a>
            ). Copy it now; you won’t see it again.
          </p>
        </div>
        <Snippet label="Secret" text={props.secret} copyLabel="Copy secret" variant="primary" />
        <div class={styles.footer}>
          <Button onClick={() => props.onDone()}>Done</Button>
        </div>
      </section>
    </Card>
  )
}
