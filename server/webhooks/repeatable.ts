/** Work of which one run at a time takes place. A call during a run is followed by another run. */
export interface Repeatable {
  run(): void
  ended(): Promise<void>
}

export function openRepeatable(work: () => Promise<void>, onError: (error: unknown) => void): Repeatable {
  let isAgain = false
  let current: Promise<void> | null = null
  async function repeat(): Promise<void> {
    do {
      isAgain = false
      await work().catch(onError)
    } while (isAgain)
    current = null
  }
  return {
    run() {
      if (current === null) current = repeat()
      else isAgain = true
    },
    ended: async () => (await current) ?? undefined,
  }
}
