import { ButtonLink } from './button-link.tsx'
import { EmptyState } from './empty-state.tsx'

/** Shown on the owner's pages to everybody else. */
export function OwnerOnly() {
  return (
    <EmptyState title="Only the owner can see this" text="Sign in as the owner of this Holdall to open it.">
      <ButtonLink href="/">Go home</ButtonLink>
    </EmptyState>
  )
}
