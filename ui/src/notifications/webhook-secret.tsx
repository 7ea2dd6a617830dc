import { Card } from '../base/card.tsx'
import { Sentence } from '../base/sentence.tsx'
import { ShownOnce } from '../base/shown-once.tsx'
import { Snippet } from '../base/snippet.tsx'
import { notificationsCopy } from '../language/english/notifications.ts'

const copy = notificationsCopy.secret

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
          <Sentence
            text={copy.lead}
            parts={{
              standard: (
                <a href="https://www.standardwebhooks.com" target="_blank" rel="noopener noreferrer">
                  Standard Webhooks
                </a>
              ),
            }}
          />
        }
        onDone={() => props.onDone()}
      >
        <Snippet label={copy.secret} text={props.secret} copyLabel={copy.copy} variant="primary" />
      </ShownOnce>
    </Card>
  )
}
