/** Waits for a condition. @throws if it is still false after ten seconds, or as long as `deadlineMs` says */
export async function until(condition: () => boolean, deadlineMs = 10_000): Promise<void> {
  const startedMs = performance.now()
  while (!condition()) {
    if (performance.now() - startedMs > deadlineMs) throw new Error('The condition does not become true.')
    await Bun.sleep(POLL_INTERVAL_MS)
  }
}

const POLL_INTERVAL_MS = 5
