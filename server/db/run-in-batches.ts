/**
 * Repeats a small deletion until nothing is left. After each batch it waits for as long as the batch took, so that other
 * processes can write, too.
 * @param deleteBatch returns false when nothing was left
 * @param stop when aborted, no further batch begins
 */
export async function runInBatches(
  deleteBatch: () => boolean | Promise<boolean>,
  stop?: AbortSignal,
): Promise<void> {
  while (!stop?.aborted) {
    const startedMs = performance.now()
    if (!(await deleteBatch())) return
    await Bun.sleep(performance.now() - startedMs)
  }
}
