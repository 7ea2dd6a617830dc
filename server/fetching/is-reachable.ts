import type { CheckedResolver } from './addresses/resolver.ts'
import { connectToAny } from './http1/happy-eyeballs.ts'

/**
 * Whether a host (`name:port`) can be connected to at this time, at one of its checked addresses. Nothing is sent. Never rejects.
 * @param signal ends the probe: then the host counts as not reachable
 */
export async function isReachable(
  host: string,
  resolver: Pick<CheckedResolver, 'resolve'>,
  signal: AbortSignal,
): Promise<boolean> {
  const portAt = host.lastIndexOf(':') + 1
  const port = Number(host.slice(portAt))
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_PROBE_MS)])
  try {
    const addresses = await resolver.resolve(host.slice(0, portAt - 1), port)
    const { socket } = await connectToAny(addresses, port, bounded)
    socket.terminate()
    return true
  } catch {
    return false
  }
}

/** Time for two packets: the second follows the first after a second (RFC 6298 section 2). */
const LONGEST_PROBE_MS = 2_000
