import dns from 'node:dns'
import { Semaphore } from '../../semaphore.ts'
import { unpausedTimeout } from '../../time/unpaused-time.ts'
import { FetchFailure } from '../attempts/fetch-failure.ts'
import { hostsFileAddresses } from './hosts-file.ts'
import { parseAddress } from './ip.ts'
import { systemLookup } from './system-lookup.ts'

export interface ResolveOptions {
  readonly timeoutMs?: number
  /** Path of the hosts file (hosts(5)). */
  readonly hostsPath?: string
}

/**
 * All addresses of a host, in the resolver's order. Honours the hosts file. An IP address resolves to itself.
 * @param hostname as in `URL.hostname`, an IPv6 address in brackets
 * @throws FetchFailure `Could not resolve host`: retryable when a name server failed, but not when the name has no address or
 *   no server responded. Throws the signal's reason once it is aborted
 */
export async function resolveHost(
  hostname: string,
  signal: AbortSignal,
  { timeoutMs = RESOLVE_TIMEOUT_MS, hostsPath = '/etc/hosts' }: ResolveOptions = {},
): Promise<string[]> {
  signal.throwIfAborted()
  const literal = literalAddress(hostname)
  if (literal !== null) return [literal]
  const listed = listedAddresses(hostname, hostsPath)
  const known = listed.length > 0 ? listed : fixedAddresses(hostname)
  if (known.length > 0) return [...known]
  try {
    const isOfSystem = isSystemName(hostname)
    using _slot = await (isOfSystem ? systemSlots : dnsSlots).acquire(signal)
    return await within(timeoutMs, signal, (end) => lookUp(hostname, isOfSystem, end))
  } catch (error) {
    signal.throwIfAborted()
    throw new FetchFailure('Could not resolve host', { retryable: isTemporary(error), cause: error })
  }
}

/**
 * On Linux the system's look-up (getaddrinfo) blocks one of Bun's few threads for file I/O: two hosts with silent name
 * servers would stop all file I/O until they time out. c-ares does not block, and reads /etc/resolv.conf as well. Other
 * systems have look-ups that do not block.
 */
const backend = process.platform === 'linux' ? 'c-ares' : 'system'

/** The addresses that a host has on every machine: an address its own, and `localhost` with its subdomains (RFC 6761 section 6.3). */
export function fixedAddresses(hostname: string): readonly string[] {
  const literal = literalAddress(hostname)
  if (literal !== null) return [literal]
  const name = hostname.replace(/\.$/, '')
  return name === 'localhost' || name.endsWith('.localhost') ? LOOPBACK : []
}

function literalAddress(hostname: string): string | null {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  return parseAddress(literal) === null ? null : literal
}

/** Those of the hosts file, which needs no look-up either. */
function listedAddresses(hostname: string, hostsPath: string): readonly string[] {
  return process.platform === 'linux' ? hostsFileAddresses(hostsPath, hostname.replace(/\.$/, '')) : []
}

const LOOPBACK = ['127.0.0.1', '::1']

async function lookUp(hostname: string, isOfSystem: boolean, end: AbortSignal): Promise<string[]> {
  const addresses = isOfSystem ? await systemLookup(hostname.replace(/\.$/, ''), end) : null
  if (addresses?.length === 0) throw new FetchFailure('Could not resolve host', { retryable: false })
  if (addresses !== null) return addresses
  const answers = await Bun.dns.lookup(hostname, { backend })
  return [...new Set(answers.map(({ address }) => address))]
}

/** Names with several labels are only in DNS, except those of mDNS (RFC 6762 section 3). */
function isSystemName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return process.platform === 'linux' && (!name.includes('.') || name.endsWith('.local'))
}

/** @param work gets a signal that is aborted at the timeout */
async function within<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (end: AbortSignal) => Promise<T>,
): Promise<T> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>()
  const ender = new AbortController()
  using _timeout = unpausedTimeout(timeoutMs, () => reject(new FetchFailure('Timed out')))
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

function isTemporary(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof FetchFailure && !error.retryable) return false
  if (/^DNS_(ENOTFOUND|ENODATA|EBADNAME)$/.test(code)) return false
  return reloadNameServers() || !(error instanceof FetchFailure)
}

/**
 * c-ares reads /etc/resolv.conf only once, but the name servers change when the machine joins another network. A new
 * resolver reads the file again; the next attempt uses the name servers that it found.
 * @returns whether they have changed
 */
function reloadNameServers(): boolean {
  const servers = new dns.Resolver().getServers()
  if (servers.length === 0 || servers.join() === dns.getServers().join()) return false
  dns.setServers(servers)
  return true
}

/**
 * Look-ups at once in a thread, so in a job. Those of the system are processes: that of a silent mDNS name takes 5 s, and a job may have
 * thousands of such names. They have slots of their own, so that names in DNS don't wait for them.
 */
const systemSlots = new Semaphore(16)
const dnsSlots = new Semaphore(64)

/** The same as the connect timeout. Counted from the begin of the look-up, not while it waits for others. */
const RESOLVE_TIMEOUT_MS = 10_000
