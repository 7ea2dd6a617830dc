/**
 * Asks again and again, until the answer is neither false nor null nor undefined.
 * @param what the condition in words, as in "the archive is deleted"
 * @returns the answer
 * @throws if there is none shortly before a test ends by its own time limit, or after `deadlineMs`
 */
export async function until<T>(
  what: string,
  ask: () => Unready<T> | Promise<Unready<T>>,
  { deadlineMs = 100_000, everyMs = 5 }: { deadlineMs?: number; everyMs?: number } = {},
): Promise<T> {
  const startedMs = performance.now()
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== null && answer !== undefined) return answer
    if (performance.now() - startedMs > deadlineMs)
      throw new Error(`Still false after ${deadlineMs} ms: ${what}.`)
    await Bun.sleep(everyMs)
  }
}

type Unready<T> = T | false | null | undefined
