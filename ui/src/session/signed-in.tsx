import { Navigate, type RouteSectionProps } from '@solidjs/router'
import { Show } from 'solid-js'
import { session } from './session.ts'

/** Shows its pages to who is signed in, and the sign-in page to everybody else. */
export function SignedIn(props: RouteSectionProps) {
  return (
    <Show when={session.key()} fallback={<Navigate href="/sign-in" />}>
      {props.children}
    </Show>
  )
}
