import { useLocation } from '@solidjs/router'
import { createEffect, on } from 'solid-js'
import { Button } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { useDocumentTitle } from '../base/page.tsx'

/** Shown instead of a page that failed to load or threw an error, until the user navigates to another page. */
export function FailedPage(props: { error: unknown; onLeave: () => void }) {
  const location = useLocation()
  useDocumentTitle(() => 'Something went wrong')
  createEffect(() => console.error(props.error))
  createEffect(
    on(
      () => location.pathname,
      () => props.onLeave(),
      { defer: true },
    ),
  )
  return (
    <EmptyState
      isPage
      title="Couldn’t load this page"
      text="Holdall may have stopped or been updated. Your archives are safe."
    >
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </EmptyState>
  )
}
