/** A free port, for servers that cannot let the system choose one. */
export async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  if (port === undefined) throw new Error('There is no free port.')
  return port
}

/**
 * Waits until a server accepts connections at a port.
 * @throws after ten seconds without one
 */
export async function untilListening(port: number): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).catch(() => null)
    if (socket !== null) {
      socket.end()
      return
    }
    if (performance.now() > deadlineMs) throw new Error(`Nothing listens at port ${port}.`)
    await Bun.sleep(POLL_INTERVAL_MS)
  }
}

const START_TIMEOUT_MS = 10_000
const POLL_INTERVAL_MS = 10
