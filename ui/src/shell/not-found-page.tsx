import { ButtonLink } from '../base/button-link.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { useDocumentTitle } from '../base/page.tsx'
import { controlsCopy } from '../language/english/controls.ts'
import { shellCopy } from '../language/english/shell.ts'

export function NotFoundPage() {
  useDocumentTitle(() => shellCopy.notFound)
  return (
    <EmptyState isPage title={shellCopy.notFound} text={shellCopy.notFoundText}>
      <ButtonLink href="/">{controlsCopy.goHome}</ButtonLink>
    </EmptyState>
  )
}
