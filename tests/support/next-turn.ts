/** Resolves when all that is ready to run in this process has run: one turn of the event loop, and no time. */
export function nextTurn(): Promise<void> {
  return Bun.sleep(0)
}
