import { useLocation } from '@solidjs/router'
import { createEffect, on } from 'solid-js'
import { Button } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { useDocumentTitle } from '../base/page.tsx'
import { baseCopy } from '../language/english/base.ts'
import { shellCopy } from '../language/english/shell.ts'

/** Shown instead of a page that failed to load or threw an error, until the user navigates to another page. */
export function FailedPage(props: { error: unknown; onLeave: () => void }) {
  const location = useLocation()
  useDocumentTitle(() => shellCopy.wentWrong)
  createEffect(() => console.error(props.error))
  createEffect(
    on(
      () => location.pathname,
      () => props.onLeave(),
      { defer: true },
    ),
  )
  return (
    <EmptyState isPage title={shellCopy.failed} text={shellCopy.failedText}>
      <Button onClick={() => window.location.reload()}>{baseCopy.reload}</Button>
    </EmptyState>
  )
}
