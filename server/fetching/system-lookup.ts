import { isIP } from 'node:net'
import { Turns } from './turns.ts'

/**
 * Asks the system for a name, in whatever way it is set up to look names up (nsswitch.conf(5)): mDNS for `.local`,
 * names of containers, the machine's own. A process of its own does it, `getent`, since the system's look-up blocks the
 * thread that calls it, and Bun would call it on one of the few that do its file work.
 * @returns no addresses when the system does not know the name; null when there is no `getent`
 */
export async function systemLookup(name: string, signal: AbortSignal): Promise<string[] | null> {
  using _turn = await turns.take(signal)
  try {
    const child = Bun.spawn(['getent', 'ahosts', '--', name], { stdio: ['ignore', 'pipe', 'ignore'], signal })
    const text = await new Response(child.stdout).text()
    signal.throwIfAborted()
    return addressesIn(text)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** A line an address and kind of socket: `127.0.0.1 STREAM localhost`. */
function addressesIn(text: string): string[] {
  const addresses = text.split('\n').map((line) => line.split(/\s/, 1)[0] ?? '')
  return [...new Set(addresses)].filter((address) => isIP(address.split('%', 1)[0] ?? '') !== 0)
}

/** A silent mDNS name takes five seconds, and a job may name thousands of them. */
const turns = new Turns(4)
