/**
 * Waits for a condition, asking about it again and again.
 * @param what the condition in words, as in "the archive is deleted"
 * @throws if it is still false shortly before a test ends by its own time limit, or after `deadlineMs`
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { deadlineMs = 100_000, everyMs = 5 }: { deadlineMs?: number; everyMs?: number } = {},
): Promise<void> {
  const startedMs = performance.now()
  while (!(await condition())) {
    if (performance.now() - startedMs > deadlineMs)
      throw new Error(`Still false after ${deadlineMs} ms: ${what}.`)
    await Bun.sleep(everyMs)
  }
}
