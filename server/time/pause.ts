/** Waits. Unlike the timer of Node, rejects with the reason of the signal as soon as that is aborted. */
export async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = () => {
    clearTimeout(timer)
    reject(signal.reason)
  }
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', onAbort)
    resolve()
  }, durationMs)
  signal.addEventListener('abort', onAbort, { once: true })
  await promise
}
