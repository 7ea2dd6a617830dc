import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Repeats a small deletion until nothing is left. Each batch has a turn of the event loop of its own, so that no request waits for
 * several. After each batch it waits for as long as the batch took, so that other processes can write, too.
 * @param deleteBatch returns false when nothing was left
 * @param stop when aborted, no further batch begins
 */
export async function runInBatches(deleteBatch: () => Promise<boolean>, stop?: AbortSignal): Promise<void> {
  for (;;) {
    await nextTurn()
    if (stop?.aborted) return
    const startedMs = performance.now()
    if (!(await deleteBatch())) return
    await Bun.sleep(performance.now() - startedMs)
  }
}
