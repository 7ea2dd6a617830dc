/** Returns the text to show for an error that was caught. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
