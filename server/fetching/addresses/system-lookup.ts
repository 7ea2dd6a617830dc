import { childEnvironment } from '../../child-environment.ts'
import { parseAddress } from './ip.ts'

/**
 * Looks up a name as the system is configured to (nsswitch.conf(5)): mDNS for `.local`, names of containers, the machine's
 * own name. Runs `getent` in a process of its own, because the system's look-up blocks its thread, and Bun would call it on
 * one of its few threads for file I/O.
 * @returns no addresses when the system does not know the name; null when `getent` is not installed
 */
export async function systemLookup(name: string, signal: AbortSignal): Promise<string[] | null> {
  try {
    const child = Bun.spawn(['getent', 'ahosts', '--', name], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: childEnvironment(),
      signal,
    })
    const text = await new Response(child.stdout).text()
    signal.throwIfAborted()
    return addressesIn(text)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** One line per address and socket type: `127.0.0.1 STREAM localhost`. */
function addressesIn(text: string): string[] {
  const addresses = text.split('\n').map((line) => line.split(/\s/, 1)[0] ?? '')
  return [...new Set(addresses)].filter((address) => parseAddress(address) !== null)
}
