import { type ParentProps, Show } from 'solid-js'
import { Alert } from './alert.tsx'
import { Card } from './card.tsx'
import styles from './form-card.module.css'
import type { Message } from './message.ts'
import { MessageText } from './message-text.tsx'

export interface FormCardProps {
  title: string
  /** Why the last attempt failed. */
  errorMessage: Message | undefined
  onSubmit: () => void
}

/** A short form in a card. Its children are the fields and then the button. */
export function FormCard(props: ParentProps<FormCardProps>) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    props.onSubmit()
  }
  return (
    <Card isPadded>
      <form class={styles.form} onSubmit={submit}>
        <h2>{props.title}</h2>
        <div class={styles.fields}>{props.children}</div>
        <Show when={props.errorMessage}>
          {(message) => (
            <Alert>
              <MessageText message={message()} />
            </Alert>
          )}
        </Show>
      </form>
    </Card>
  )
}
