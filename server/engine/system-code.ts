/** What the system or the database calls the reason of an error, as `ENOSPC` or `SQLITE_FULL`; empty when nothing. */
export function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return systemCode(error.cause)
}
