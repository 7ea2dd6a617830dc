import { readFileSync, statSync } from 'node:fs'
import { whenDescriptorIsFreeSync } from '../../files/open-file.ts'
import { parseAddress } from './ip.ts'

/**
 * The addresses of a name in a hosts file (hosts(5)), in the file's order. Empty when there are none or the file can't be
 * read. A name gets only the addresses on its own lines. (c-ares, which also reads the file, merges the addresses of all
 * names that share one.)
 * @param name in lower case, without a trailing dot
 */
export function hostsFileAddresses(path: string, name: string): readonly string[] {
  try {
    const { ino, mtimeMs, size } = statSync(path)
    const version = `${path} ${ino} ${mtimeMs} ${size}`
    if (known?.version !== version) {
      const text = whenDescriptorIsFreeSync(() => readFileSync(path, 'utf8'))
      known = { version, addresses: parseHosts(text) }
    }
    return known.addresses.get(name) ?? []
  } catch {
    return []
  }
}

/** Maps names to addresses. Each line is an address and its names; a `#` begins a comment. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const addresses = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [content = ''] = line.split('#', 1)
    const [address = '', ...names] = content.trim().toLowerCase().split(/\s+/)
    if (parseAddress(address) === null) continue
    for (const name of names) {
      const ofName = addresses.get(name)
      if (ofName === undefined) addresses.set(name, [address])
      else if (!ofName.includes(address)) ofName.push(address)
    }
  }
  return addresses
}

interface KnownFile {
  /** Path, inode, modification time and size. */
  readonly version: string
  readonly addresses: ReadonlyMap<string, readonly string[]>
}

/** Cached until the file changes: hosts files that block advertisements have a hundred thousand lines. */
let known: KnownFile | null = null
