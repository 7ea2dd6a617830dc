import { until } from './until.ts'

/**
 * A free port, for servers that cannot let the system choose one. The system itself never chooses it for another socket, also while such
 * a server is stopped, and this process gets no port twice.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error('There is no free port.')
}

async function isFree(port: number): Promise<boolean> {
  try {
    await Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response() }).stop(true)
    return true
  } catch {
    return false
  }
}

const given = new Set<number>()
/** Below those that Linux gives to connections and to servers that name no port (ip_local_port_range in ip(7)): 32768 to 60999. */
const FIRST_PORT = 12_000
const PORTS = 20_000
const MAX_TRIES = 1_000

/**
 * Waits until a server accepts connections at a port.
 * @throws after a minute without one
 */
export async function untilListening(port: number): Promise<void> {
  const connect = () => Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).catch(() => null)
  const socket = await until(`a server listens at port ${port}`, connect, { deadlineMs: 60_000 })
  socket.end()
}
