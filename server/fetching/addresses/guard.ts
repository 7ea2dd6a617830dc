// server/decisions/address-guard.md says when addresses are checked, and why.

import { embeddedIpv4 } from './embedded-ipv4.ts'
import { contains, type IpAddress, networkOf, parseAddress } from './ip.ts'
import { isInRefusedNetwork } from './table.ts'

/** Which addresses outside the public internet may be fetched from. */
export interface NetworkPolicy {
  /** CIDR notation, as given to `--allow-network`. */
  readonly allowedNetworks: readonly string[]
  /** The service's own port, always refused on this machine's addresses; null on the command line. */
  readonly ownPort: number | null
}

export type AddressVerdict = 'allowed' | 'refused'

/** Prevents URLs from reaching what only this machine or its network can reach. */
export interface AddressGuard {
  /** Whether a connection to the address is allowed. Refuses text that is not an address. */
  check(address: string, port: number): AddressVerdict
  /** Whether a host is allowed, given all its addresses. Refused if any address is refused or there is none. */
  checkAll(addresses: readonly string[], port: number): AddressVerdict
  /** Whether the policy lists the address, or an IPv4 address that it embeds. False for public addresses that it does not list. */
  isListed(address: string): boolean
}

/**
 * Refuses the networks of `refused-networks.ts` unless the policy allows them, and the service's own port always.
 * An IPv6 address that embeds an IPv4 address must be allowed by both. `localAddresses` lists the addresses of this
 * machine's network interfaces. It is called for each check, because they change.
 */
export function createAddressGuard(
  policy: NetworkPolicy,
  localAddresses: () => readonly string[],
): AddressGuard {
  const allowed = policy.allowedNetworks.map(networkOf)
  const isAllowed = (address: IpAddress) => allowed.some((network) => contains(network, address))

  function mayConnect(address: IpAddress): boolean {
    if (isAllowed(address)) return true
    const inner = embeddedIpv4(address)
    if (!inner.every(mayConnect)) return false
    return !isInRefusedNetwork(address) || inner.some(isAllowed)
  }

  function isThisMachine(address: IpAddress): boolean {
    if (loopbacks.some((network) => contains(network, address))) return true
    if (localAddresses().some((local) => isSame(parseAddress(local), address))) return true
    return embeddedIpv4(address).some(isThisMachine)
  }

  function check(text: string, port: number): AddressVerdict {
    const address = parseAddress(text)
    if (address === null) return 'refused'
    if (port === policy.ownPort && isThisMachine(address)) return 'refused'
    return mayConnect(address) ? 'allowed' : 'refused'
  }

  function checkAll(addresses: readonly string[], port: number): AddressVerdict {
    const areAllowed = addresses.every((address) => check(address, port) === 'allowed')
    return areAllowed && addresses.length > 0 ? 'allowed' : 'refused'
  }

  function isListed(text: string): boolean {
    const address = parseAddress(text)
    return address !== null && (isAllowed(address) || embeddedIpv4(address).some(isAllowed))
  }

  return { check, checkAll, isListed }
}

/** On Linux and macOS, a connection to the unspecified address reaches this machine. */
const loopbacks = ['127.0.0.0/8', '::1/128', '0.0.0.0/32', '::/128'].map(networkOf)

function isSame(a: IpAddress | null, b: IpAddress): boolean {
  return a !== null && a.family === b.family && a.value === b.value
}
