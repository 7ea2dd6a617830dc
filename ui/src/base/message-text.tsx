import { type ParentProps, Show } from 'solid-js'
import { copyLanguage } from '../language/catalogue.ts'
import { type Message, plainText } from './message.ts'

/** A message. What of it is in English is marked, in a page of another language. */
export function MessageText(props: { message: Message }) {
  return (
    <Show when={typeof props.message === 'string' ? null : props.message} fallback={plainText(props.message)}>
      {(mixed) => (
        <>
          {mixed().before}
          <span lang="en">{mixed().english}</span>
          {mixed().after}
        </>
      )}
    </Show>
  )
}

/** Shows words of the service to whoever points at its children, which are in the language of the page. */
export function MessageTitle(props: ParentProps<{ title: Message | undefined }>) {
  const isTranslated = () => props.title === undefined || typeof props.title === 'string'
  return (
    <span lang={isTranslated() ? undefined : 'en'} title={props.title && plainText(props.title)}>
      <span lang={isTranslated() ? undefined : copyLanguage}>{props.children}</span>
    </span>
  )
}
