import { Navigate, type RouteSectionProps, useLocation } from '@solidjs/router'
import { Show } from 'solid-js'
import { sessionKey } from '../session/session.ts'

/**
 * Shows its pages only to signed-in users. Others are sent to the sign-in page and come back afterwards. Signing in with
 * another key rebuilds the pages, so that no data of the previous user stays.
 */
export function RequireSignIn(props: RouteSectionProps) {
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
