import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

/**
 * Addresses of a name in a hosts file (hosts(5)), in the file's order; empty when it has none or can't be read. Each
 * name has the addresses of its own lines alone: c-ares, which reads the file as well, joins those of all names that
 * share an address.
 * @param name lower-cased, without a dot at its end
 */
export function hostsFileAddresses(path: string, name: string): readonly string[] {
  try {
    const { ino, mtimeMs, size } = statSync(path)
    const version = `${path} ${ino} ${mtimeMs} ${size}`
    if (known?.version !== version) known = { version, addresses: parseHosts(readFileSync(path, 'utf8')) }
    return known.addresses.get(name) ?? []
  } catch {
    return []
  }
}

/** Names to addresses. A line is an address and its names; what follows `#` is a comment. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const addresses = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [content = ''] = line.split('#', 1)
    const [address = '', ...names] = content.trim().toLowerCase().split(/\s+/)
    const [withoutZone = ''] = address.split('%', 1)
    if (isIP(withoutZone) === 0) continue
    for (const name of names) {
      const ofName = addresses.get(name)
      if (ofName === undefined) addresses.set(name, [address])
      else if (!ofName.includes(address)) ofName.push(address)
    }
  }
  return addresses
}

interface KnownFile {
  /** Path, and what changes with the file. */
  readonly version: string
  readonly addresses: ReadonlyMap<string, readonly string[]>
}

/** Lists that block advertisements have a hundred thousand lines: they are read when they change. */
let known: KnownFile | null = null
