/** A bag with an arrow into it. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <path class="logo-handle" d="M10.5 11V9a5.5 5.5 0 0 1 11 0v2" />
      <rect class="logo-bag" x="3" y="11" width="26" height="17" rx="5" />
      <path class="logo-arrow" d="M16 14.5v8m-3.6-3.4L16 22.7l3.6-3.6" />
    </svg>
  )
}
