import dns from 'node:dns'
import { isIP } from 'node:net'
import { afterRunning } from '../running-time.ts'
import { FetchFailure } from './fetch-failure.ts'
import { hostsFileAddresses } from './hosts-file.ts'
import { systemLookup } from './system-lookup.ts'

export interface ResolveOptions {
  readonly timeoutMs?: number
  /** Where hosts(5) lies. */
  readonly hostsPath?: string
}

/**
 * All addresses of a host, in the resolver's order; the hosts file counts, and an address is its own answer.
 * @param hostname as `URL.hostname` gives it, an IPv6 literal in brackets
 * @throws FetchFailure `Could not resolve host`, worth another attempt when a name server failed, not when
 * the name has no address or nobody answered; the signal's reason once it is aborted
 */
export async function resolveHost(
  hostname: string,
  signal: AbortSignal,
  { timeoutMs = RESOLVE_TIMEOUT_MS, hostsPath = '/etc/hosts' }: ResolveOptions = {},
): Promise<string[]> {
  signal.throwIfAborted()
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(literal) !== 0) return [literal]
  const known = withoutAsking(hostname, hostsPath)
  if (known.length > 0) return [...known]
  try {
    return await within(timeoutMs, signal, (end) => ask(hostname, end))
  } catch (error) {
    signal.throwIfAborted()
    throw new FetchFailure('Could not resolve host', { retryable: mayPass(error), cause: error })
  }
}

/** As long as a connection may take: a resolver that needs longer is no better than none. */
const RESOLVE_TIMEOUT_MS = 10_000

/**
 * On Linux the system's own look-up (getaddrinfo) blocks one of the few threads on which Bun does its file work,
 * too: two hosts with silent name servers would stop all of that for as long as they are waited for. c-ares blocks
 * none, and reads /etc/resolv.conf as well. Other systems have look-ups that do not block.
 */
const backend = process.platform === 'linux' ? 'c-ares' : 'system'

/** RFC 6761 section 6.3: `localhost`, and whatever ends in it, is this machine, asked of nobody. */
function withoutAsking(hostname: string, hostsPath: string): readonly string[] {
  const name = hostname.replace(/\.$/, '')
  const listed = process.platform === 'linux' ? hostsFileAddresses(hostsPath, name) : []
  if (listed.length > 0) return listed
  return name === 'localhost' || name.endsWith('.localhost') ? LOOPBACK : []
}

const LOOPBACK = ['127.0.0.1', '::1']

async function ask(hostname: string, end: AbortSignal): Promise<string[]> {
  const name = hostname.replace(/\.$/, '')
  // Only name servers have names of several labels, but for those of mDNS (RFC 6762 section 3).
  const isSystems = process.platform === 'linux' && (!name.includes('.') || name.endsWith('.local'))
  const systems = isSystems ? await systemLookup(name, end) : null
  if (systems?.length === 0) throw new FetchFailure('Could not resolve host', { retryable: false })
  if (systems !== null) return systems
  const answers = await Bun.dns.lookup(hostname, { backend })
  return [...new Set(answers.map(({ address }) => address))]
}

/** @param work is given a signal that ends what it has begun */
async function within<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (end: AbortSignal) => Promise<T>,
): Promise<T> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>()
  const ender = new AbortController()
  using _timeout = afterRunning(timeoutMs, () => reject(new FetchFailure('Timed out')))
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work(ender.signal), interrupted])
  } finally {
    ender.abort()
    signal.removeEventListener('abort', onAbort)
  }
}

function mayPass(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof FetchFailure && !error.retryable) return false
  if (/^DNS_(ENOTFOUND|ENODATA|EBADNAME)$/.test(code)) return false
  return takeNameServersOfToday() || !(error instanceof FetchFailure)
}

/**
 * c-ares reads /etc/resolv.conf only once, and a machine's name servers change when it moves to another network or
 * starts before it. A new resolver reads the file anew; the next attempt uses what it found.
 * @returns whether there are others than before
 */
function takeNameServersOfToday(): boolean {
  const servers = new dns.Resolver().getServers()
  if (servers.length === 0 || servers.join() === dns.getServers().join()) return false
  dns.setServers(servers)
  return true
}
