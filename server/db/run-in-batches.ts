/**
 * Repeats a step that deletes a little, until nothing is left. After each, whoever else writes has as long as it took.
 * @param step false when there was nothing left to do
 * @param stop aborted by whoever wants no further step
 */
export async function runInBatches(
  step: () => boolean | Promise<boolean>,
  stop?: AbortSignal,
): Promise<void> {
  while (!stop?.aborted) {
    const startedMs = performance.now()
    if (!(await step())) return
    await Bun.sleep(performance.now() - startedMs)
  }
}
