/**
 * Waits for a promise, at most `timeoutMs`.
 * @returns whether it resolved or rejected in that time; never rejects
 */
export async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>()
  const timer = setTimeout(timeout.resolve, timeoutMs, false)
  const settled = promise.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([settled, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
