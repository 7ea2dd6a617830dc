/**
 * Waits for a promise, no longer than so many milliseconds.
 * @returns whether it has settled by then; it never rejects
 */
export async function settledWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const lapsed = Promise.withResolvers<boolean>()
  const timer = setTimeout(lapsed.resolve, timeoutMs, false)
  const settled = promise.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([settled, lapsed.promise])
  } finally {
    clearTimeout(timer)
  }
}
