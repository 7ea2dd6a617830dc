import { ButtonLink } from '../base/button-link.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { useDocumentTitle } from '../base/page.tsx'

export function NotFoundPage() {
  useDocumentTitle(() => 'Page not found')
  return (
    <EmptyState isPage title="Page not found" text="The address may be mistyped, or the page may have moved.">
      <ButtonLink href="/">Go home</ButtonLink>
    </EmptyState>
  )
}
