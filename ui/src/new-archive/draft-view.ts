import { type Accessor, batch, createMemo, createSignal } from 'solid-js'
import { type FileKind, kindOfFile } from '../base/file-kind.ts'
import { type TreeRow, treeRows, unfoldedRows } from '../base/file-tree.ts'
import { type DraftLink, shortHostOf, startOfUrl } from './draft-links.ts'
import { folderReader } from './folders.ts'

/** How many links there are of each kind, of each host and in each folder, the most frequent first. */
export interface Facets {
  readonly kinds: readonly (readonly [FileKind, number])[]
  readonly hosts: readonly (readonly [string, number])[]
  readonly folders: readonly (readonly [string, number])[]
}

/** A link that is shown. */
export interface ShownLink {
  readonly link: DraftLink
  /** In the draft. */
  readonly position: number
  /** Empty for the top of the archive. */
  readonly folder: string
  /** Begins with the folder. */
  readonly name: string
}

export type DraftRow = TreeRow<ShownLink>

/** The links of the draft that a person is looking at, and those of them that are selected. Nothing here changes the draft. */
export interface DraftView {
  readonly facets: Accessor<Facets>
  readonly kinds: Accessor<ReadonlySet<FileKind>>
  readonly hosts: Accessor<ReadonlySet<string>>
  readonly folders: Accessor<ReadonlySet<string>>
  readonly text: Accessor<string>
  readonly isNarrowed: Accessor<boolean>
  /** The links that are shown, also those in folded folders, in the order of the list. */
  readonly shown: Accessor<readonly DraftLink[]>
  /** The rows of the list: folders, and the files that are in no folded one. */
  readonly rows: Accessor<readonly DraftRow[]>
  readonly isFolded: (path: string) => boolean
  readonly isSelected: (link: DraftLink) => boolean
  /** How many of these links are selected. */
  readonly countSelected: (links: readonly DraftLink[]) => number
  /** Of the links that are shown. */
  readonly selected: Accessor<readonly DraftLink[]>
  toggleKind(kind: FileKind): void
  toggleHost(host: string): void
  toggleFolder(folder: string): void
  setText(text: string): void
  showAll(): void
  readonly folderCount: Accessor<number>
  /** Whether all folders of the list are folded; those in folded ones are not in the list. */
  readonly isAllFolded: Accessor<boolean>
  setFolded(path: string, isFolded: boolean): void
  /** Folds all folders, also those in other ones, or opens all. */
  setAllFolded(isFolded: boolean): void
  /** Opens the folders that a file is in. */
  unfold(position: number): void
  /** Selects the links of a row, or no longer; with `isRange`, also all between them and the row that was selected before. */
  toggle(links: readonly DraftLink[], isRange: boolean): void
  /** Selects links up to those of one row. */
  extend(links: readonly DraftLink[], last: readonly DraftLink[]): void
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
  let last: readonly DraftLink[] = []
  const foldOfAll = createFold()

  const folderOf = folderReader()
  const facets = createMemo(() => facetsOf(links(), folderOf))
  const isNarrowed = () => kinds().size > 0 || hosts().size > 0 || folders().size > 0 || text().trim() !== ''
  const tree = createMemo(() => {
    const isShown = isNarrowed()
      ? matcher({ kinds: kinds(), hosts: hosts(), folders: folders(), text: text(), folderOf })
      : () => true
    const files: ShownLink[] = []
    // One text for each folder: to make and compare thousands of them would block the page.
    const paths = new Map([['', '']])
    for (const [position, link] of links().entries()) {
      if (!isShown(link)) continue
      const folder = folderOf(link)
      const name = paths.get(folder) ?? `${folder}/`
      paths.set(folder, name)
      files.push({ link, position, folder, name })
    }
    return treeRows(files)
  })
  /** While the list is narrowed, what was found is shown, and folders fold until something else is looked for. */
  const fold = createMemo(() => {
    if (!isNarrowed()) return foldOfAll
    for (const narrowing of [kinds, hosts, folders, text]) narrowing()
    return createFold()
  })
  const folderPaths = createMemo(() => {
    const paths: string[] = []
    for (const row of tree()) if (row.kind === 'folder') paths.push(row.path)
    return paths
  })
  const rows = createMemo(() => unfoldedRows(tree(), fold().has))
  const shown = createMemo(() => {
    const links: DraftLink[] = []
    for (const row of tree()) if (row.kind === 'file') links.push(row.file.link)
    return links
  })
  const selected = createMemo(() => {
    const chosen = selection()
    return chosen.size === 0 ? [] : shown().filter((link) => chosen.has(link))
  })

  /** The shown links from those that were selected last up to these. */
  function range(links: readonly DraftLink[]): readonly DraftLink[] {
    const order = new Map(shown().map((link, index) => [link, index]))
    let [first, end] = [Number.POSITIVE_INFINITY, 0]
    for (const link of [...links, ...last]) {
      const index = order.get(link)
      if (index === undefined) continue
      first = Math.min(first, index)
      end = Math.max(end, index + 1)
    }
    return shown().slice(first, end)
  }

  return {
    facets,
    kinds,
    hosts,
    folders,
    text,
    isNarrowed,
    shown,
    rows,
    isFolded: (path) => fold().has(path),
    folderCount: () => folderPaths().length,
    isAllFolded: () => rows().every((row) => row.kind === 'file' || fold().has(row.path)),
    isSelected: (link) => selection().has(link),
    countSelected(links) {
      const chosen = selection()
      return chosen.size === 0 ? 0 : links.filter((link) => chosen.has(link)).length
    },
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
    setFolded: (path, isFolded) => fold().set(path, isFolded),
    setAllFolded: (isFolded) => fold().setAll(isFolded ? folderPaths() : []),
    unfold(position) {
      const found = tree().find((row) => row.kind === 'file' && row.file.position === position)
      if (found?.kind !== 'file') return
      const { name } = found.file
      for (let end = name.indexOf('/'); end !== -1; end = name.indexOf('/', end + 1))
        fold().set(name.slice(0, end + 1), false)
    },
    toggle(links, isRange) {
      const next = new Set(selection())
      const isOn = !links.every((link) => next.has(link))
      for (const one of isRange ? range(links) : links) {
        if (isOn) next.add(one)
        else next.delete(one)
      }
      last = links
      setSelection(next)
    },
    extend(links, end) {
      last = end
      setSelection((selected) => new Set([...selected, ...links]))
    },
    select(links) {
      last = []
      setSelection(new Set(links))
    },
    replace(old, changed) {
      last = last.map((link) => (link === old ? changed : link))
      if (selection().has(old)) setSelection((links) => toggled(toggled(links, old), changed))
    },
  }
}

/** The folders that are folded, by their paths. */
function createFold() {
  const [folded, setFolded] = createSignal<ReadonlySet<string>>(new Set())
  return {
    has: (path: string) => folded().has(path),
    set(path: string, isFolded: boolean) {
      if (folded().has(path) !== isFolded) setFolded(toggled(folded(), path))
    },
    setAll: (paths: readonly string[]) => setFolded(new Set(paths)),
  }
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}

interface Narrowing {
  readonly kinds: ReadonlySet<FileKind>
  readonly hosts: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  readonly text: string
  readonly folderOf: (link: DraftLink) => string
}

function matcher({ kinds, hosts, folders, text, folderOf }: Narrowing): (link: DraftLink) => boolean {
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

function facetsOf(links: readonly DraftLink[], folderOf: (link: DraftLink) => string): Facets {
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
      host = shortHostOf(start)
      known.set(start, host)
    }
    return host
  }
}

function byCount<T>(counts: ReadonlyMap<T, number>): (readonly [T, number])[] {
  return [...counts].toSorted(([, a], [, b]) => b - a)
}
