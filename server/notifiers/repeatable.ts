/** Work that never runs twice at the same time. When `run` is called during a run, another run follows. */
export interface Repeatable {
  run(): void
  /** Resolves when nothing runs. */
  ended(): Promise<void>
}

export function openRepeatable(work: () => Promise<void>, onError: (error: unknown) => void): Repeatable {
  let isRequestedAgain = false
  let current: Promise<void> | null = null
  async function repeat(): Promise<void> {
    do {
      isRequestedAgain = false
      await work().catch(onError)
    } while (isRequestedAgain)
    current = null
  }
  return {
    run() {
      if (current === null) current = repeat()
      else isRequestedAgain = true
    },
    ended: async () => (await current) ?? undefined,
  }
}
