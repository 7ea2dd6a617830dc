/** Waits for a condition. @throws if it is still false shortly before a test ends by its own time limit, or after `deadlineMs` */
export async function until(condition: () => boolean, deadlineMs = 100_000): Promise<void> {
  const startedMs = performance.now()
  while (!condition()) {
    if (performance.now() - startedMs > deadlineMs) throw new Error('The condition does not become true.')
    await Bun.sleep(POLL_INTERVAL_MS)
  }
}

const POLL_INTERVAL_MS = 5
