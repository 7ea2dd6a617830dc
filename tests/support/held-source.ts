/** A web server at every 127.x address whose answers wait, so that a test can look at what happens while many requests are open. */
export interface HeldSource extends AsyncDisposable {
  /** URLs of so many files, spread evenly over so many hosts. */
  urls(count: number, hostCount: number): string[]
  /** How many requests have come since the last `hold`. */
  askedCount(): number
  /** Answers all requests, also later ones. */
  release(): void
  /** Later requests wait again. */
  hold(): void
}

export function startHeldSource(): HeldSource {
  let gate = Promise.withResolvers<void>()
  let askedCount = 0
  const server = Bun.serve({
    hostname: '0.0.0.0',
    port: 0,
    idleTimeout: 255,
    async fetch() {
      askedCount++
      await gate.promise
      return new Response('x')
    },
  })
  return {
    urls: (count, hostCount) =>
      Array.from(
        { length: count },
        (_, index) => `http://127.9.0.${1 + (index % hostCount)}:${server.port}/${index}.txt`,
      ),
    askedCount: () => askedCount,
    release: () => gate.resolve(),
    hold() {
      gate = Promise.withResolvers()
      askedCount = 0
    },
    async [Symbol.asyncDispose]() {
      gate.resolve()
      await server.stop(true)
    },
  }
}
