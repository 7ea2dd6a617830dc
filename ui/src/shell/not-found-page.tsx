import { ButtonLink } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { useDocumentTitle } from '../base/page.tsx'

export function NotFoundPage() {
  useDocumentTitle(() => 'Not found')
  return (
    <EmptyState
      isPage
      title="There is no such page"
      text="The address may be mistyped, or the page may have moved."
    >
      <ButtonLink href="/">Go to the start</ButtonLink>
    </EmptyState>
  )
}
