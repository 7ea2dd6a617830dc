import { Card } from '../base/card.tsx'
import { ShownOnce } from '../base/shown-once.tsx'
import { Snippet } from '../base/snippet.tsx'

export interface WebhookSecretProps {
  title: string
  secret: string
  onDone: () => void
}

/** The secret of a webhook that was just added or got a new one. */
export function WebhookSecret(props: WebhookSecretProps) {
  return (
    <Card isPadded>
      <ShownOnce
        id="webhook-secret"
        title={props.title}
        lead={
          <>
            Your program needs this secret to check that a message comes from Holdall (
            <a href="https://www.standardwebhooks.com" target="_blank" rel="noopener noreferrer">
              Standard Webhooks
            </a>
            ). Copy it now. You won’t see it again.
          </>
        }
        onDone={() => props.onDone()}
      >
        <Snippet label="Secret" text={props.secret} copyLabel="Copy secret" variant="primary" />
      </ShownOnce>
    </Card>
  )
}
