import { controlsCopy } from '../language/english/controls.ts'
import { ButtonLink } from './button-link.tsx'
import { EmptyState } from './empty-state.tsx'

/** Shown on the owner's pages to everybody else. */
export function OwnerOnly() {
  return (
    <EmptyState title={controlsCopy.ownerOnly} text={controlsCopy.ownerOnlyText}>
      <ButtonLink href="/">{controlsCopy.goHome}</ButtonLink>
    </EmptyState>
  )
}
