import { contains, parseAddress, parseNetwork } from '../addresses/ip.ts'

/**
 * Whether a host is reached without a proxy, by a list as in curl's `no_proxy`: its parts are separated by commas or spaces.
 * - `*` is every host.
 * - `example.com` and `.example.com` are this host and all below it.
 * - `192.0.2.1`, `[2001:db8::1]`, `10.0.0.0/8` are addresses that a URL has in place of a name. A name is never looked up for that.
 * - With `:8080` at its end, a part counts for this port alone, where curl ignores it.
 * @param hostname without brackets
 */
export function isExempt(list: string, hostname: string, port: number): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return partsOf(list).some((part) => matches(part, name, port))
}

function partsOf(list: string): string[] {
  return list.split(/[\s,]+/).filter((part) => part !== '')
}

function matches(part: string, name: string, port: number): boolean {
  if (part === '*') return true
  const [, bracketed, plain, portText] = PART.exec(part) ?? []
  if (portText !== undefined && Number(portText) !== port) return false
  const text = bracketed ?? plain ?? part
  const address = parseAddress(name)
  if (address !== null) {
    const network = parseNetwork(text)
    return network !== null && contains(network, address)
  }
  const domain = text.toLowerCase().replace(/^\.|\.$/g, '')
  return domain !== '' && (name === domain || name.endsWith(`.${domain}`))
}

/** An IPv6 address without brackets has colons of its own. */
const PART = /^(?:\[(.*)\]|([^:]*))(?::(\d{1,5}))?$/
