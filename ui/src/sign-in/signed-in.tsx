import { Navigate, type RouteSectionProps, useLocation } from '@solidjs/router'
import { Show } from 'solid-js'
import { sessionKey } from '../session/session.ts'

/** Shows its pages to who is signed in; others sign in first and come back. A new key begins everything anew. */
export function SignedIn(props: RouteSectionProps) {
  const location = useLocation()
  return (
    <Show
      when={sessionKey()}
      keyed
      fallback={<Navigate href="/sign-in" state={{ from: location.pathname + location.search }} />}
    >
      {(_key) => props.children}
    </Show>
  )
}
