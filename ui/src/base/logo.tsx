/** The bag, in the current text colour. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <path d="M11 11V9a5 5 0 0 1 10 0v2" fill="none" stroke="currentColor" stroke-width="3" />
      <rect x="3" y="10" width="26" height="18" rx="5" fill="currentColor" />
      <path d="M8 17h16" stroke="var(--on-accent)" stroke-width="2.5" stroke-linecap="round" />
    </svg>
  )
}
