import { type Accessor, batch, createMemo, createSignal } from 'solid-js'
import { type FileKind, kindOfFile } from '../base/file-kind.ts'
import { type DraftLink, hostOf, startOfUrl } from './draft-links.ts'
import { folderOf } from './folders.ts'

/** How many links there are of each kind, of each host and in each folder, the most frequent first. */
export interface Facets {
  readonly kinds: readonly (readonly [FileKind, number])[]
  readonly hosts: readonly (readonly [string, number])[]
  readonly folders: readonly (readonly [string, number])[]
}

/** The links of the draft that a person is looking at, and those of them that are selected. Nothing here changes the draft. */
export interface DraftView {
  readonly facets: Accessor<Facets>
  readonly kinds: Accessor<ReadonlySet<FileKind>>
  readonly hosts: Accessor<ReadonlySet<string>>
  readonly folders: Accessor<ReadonlySet<string>>
  readonly text: Accessor<string>
  readonly isNarrowed: Accessor<boolean>
  /** The links that are shown, and their positions in the draft. */
  readonly shown: Accessor<readonly DraftLink[]>
  readonly positions: Accessor<readonly number[] | null>
  readonly isSelected: (link: DraftLink) => boolean
  /** Of the links that are shown. */
  readonly selected: Accessor<readonly DraftLink[]>
  toggleKind(kind: FileKind): void
  toggleHost(host: string): void
  toggleFolder(folder: string): void
  setText(text: string): void
  showAll(): void
  /** Selects a link, or no longer; with `isRange`, also all between it and the one that was selected before. */
  toggle(link: DraftLink, isRange: boolean): void
  /** Selects a link and the one beside it. */
  extend(from: DraftLink, to: DraftLink): void
  select(links: readonly DraftLink[]): void
  /** A renamed link stays selected. */
  replace(old: DraftLink, changed: DraftLink): void
}

export function createDraftView(links: Accessor<readonly DraftLink[]>): DraftView {
  const [kinds, setKinds] = createSignal<ReadonlySet<FileKind>>(new Set())
  const [hosts, setHosts] = createSignal<ReadonlySet<string>>(new Set())
  const [folders, setFolders] = createSignal<ReadonlySet<string>>(new Set())
  const [text, setText] = createSignal('')
  const [selection, setSelection] = createSignal<ReadonlySet<DraftLink>>(new Set())
  let last: DraftLink | null = null

  const facets = createMemo(() => facetsOf(links()))
  const isNarrowed = () => kinds().size > 0 || hosts().size > 0 || folders().size > 0 || text().trim() !== ''
  const positions = createMemo(() => {
    if (!isNarrowed()) return null
    const isShown = matcher(kinds(), hosts(), folders(), text())
    return links().flatMap((link, position) => (isShown(link) ? [position] : []))
  })
  const shown = createMemo(() => {
    const all = links()
    return positions()?.flatMap((position) => all[position] ?? []) ?? all
  })
  const selected = createMemo(() =>
    selection().size === 0 ? [] : shown().filter((link) => selection().has(link)),
  )

  /** The shown links from the one that was selected last up to this one. */
  function range(link: DraftLink): readonly DraftLink[] {
    const [from = -1, to = -1] = [shown().indexOf(last ?? link), shown().indexOf(link)].toSorted(
      (a, b) => a - b,
    )
    return from === -1 ? [link] : shown().slice(from, to + 1)
  }

  return {
    facets,
    kinds,
    hosts,
    folders,
    text,
    isNarrowed,
    shown,
    positions,
    isSelected: (link) => selection().has(link),
    selected,
    toggleKind: (kind) => setKinds((kinds) => toggled(kinds, kind)),
    toggleHost: (host) => setHosts((hosts) => toggled(hosts, host)),
    toggleFolder: (folder) => setFolders((folders) => toggled(folders, folder)),
    setText,
    showAll() {
      batch(() => {
        setKinds(new Set<FileKind>())
        setHosts(new Set<string>())
        setFolders(new Set<string>())
        setText('')
      })
    },
    toggle(link, isRange) {
      const next = new Set(selection())
      const isOn = !next.has(link)
      for (const one of isRange ? range(link) : [link]) {
        if (isOn) next.add(one)
        else next.delete(one)
      }
      last = link
      setSelection(next)
    },
    extend(from, to) {
      last = to
      setSelection((links) => new Set([...links, from, to]))
    },
    select(links) {
      last = null
      setSelection(new Set(links))
    },
    replace(old, changed) {
      if (last === old) last = changed
      if (selection().has(old)) setSelection((links) => toggled(toggled(links, old), changed))
    },
  }
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}

function matcher(
  kinds: ReadonlySet<FileKind>,
  hosts: ReadonlySet<string>,
  folders: ReadonlySet<string>,
  text: string,
): (link: DraftLink) => boolean {
  const wanted = text.trim().toLowerCase()
  const hostAt = hostReader()
  return (link) =>
    (kinds.size === 0 || kinds.has(kindOfFile(link.filename, link.url))) &&
    (hosts.size === 0 || hosts.has(hostAt(link.url))) &&
    (folders.size === 0 || folders.has(folderOf(link))) &&
    (wanted === '' || isWanted(link, wanted))
}

/** Whether the name or the address has the text, as it is written or as it reads. */
function isWanted({ url, filename }: DraftLink, wanted: string): boolean {
  if (filename?.toLowerCase().includes(wanted) || url.toLowerCase().includes(wanted)) return true
  if (!url.includes('%')) return false
  try {
    return decodeURIComponent(url).toLowerCase().includes(wanted)
  } catch {
    return false
  }
}

function facetsOf(links: readonly DraftLink[]): Facets {
  const kinds = new Map<FileKind, number>()
  const hosts = new Map<string, number>()
  const folders = new Map<string, number>()
  const hostAt = hostReader()
  for (const link of links) {
    const { filename, url } = link
    const kind = kindOfFile(filename, url)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    const host = hostAt(url)
    hosts.set(host, (hosts.get(host) ?? 0) + 1)
    const folder = folderOf(link)
    if (folder !== '') folders.set(folder, (folders.get(folder) ?? 0) + 1)
  }
  return { kinds: byCount(kinds), hosts: byCount(hosts), folders: byCount(folders) }
}

/** Parses each host once: to parse each of thousands of URLs would block the page. */
function hostReader(): (url: string) => string {
  const known = new Map<string, string>()
  return (url) => {
    const start = startOfUrl(url)
    let host = known.get(start)
    if (host === undefined) {
      host = hostOf(start)
      known.set(start, host)
    }
    return host
  }
}

function byCount<T>(counts: ReadonlyMap<T, number>): (readonly [T, number])[] {
  return [...counts].toSorted(([, a], [, b]) => b - a)
}
