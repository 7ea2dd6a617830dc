import {
  type FolderKnowledge,
  folded,
  Numbering,
  requestedEntryName,
} from '../../archive/names/entry-name.ts'

/**
 * Knows the final names of entries as soon as no other entry can change them, while others are still to come. Duplicates are
 * numbered in URL order, so the name of an entry is final when each earlier URL is decided that could take it. A URL whose name
 * the client requested can take names that begin like that one only; any other URL can take every name.
 *
 * All names that could ever be numbers of each other are one family. A family depends on no other one, apart from folders: a file
 * with the name of a folder gets a number, whichever comes first.
 */
export class NamesAsDecided {
  /** By position: the names that clients requested; null where the response determines the name. */
  readonly #requested: (string | null)[] = []
  /** By position: the likely name of a stored entry; null for a URL that has none. Missing while it is undecided. */
  readonly #decided: (string | null | undefined)[] = []
  readonly #families = new Map<string, Family>()
  /** By key, the URLs whose names have this folder. */
  readonly #folders = new Map<string, { undecided: number; stored: number }>()
  /** The names of entries whose place can't change any more. */
  readonly #kept = new Map<number, string>()
  #known = new Map<number, string>()
  #numbering = this.#newNumbering()
  /** No URL before it is undecided and without a requested name. */
  #firstOpen = 0

  /** The next URL of the list, in order. All are listed before the first name is asked for. */
  list(filename: string | null): void {
    const name = requestedEntryName(filename)
    const position = this.#requested.push(name) - 1
    if (name === null) return
    this.#familyOf(name).add(position)
    for (const key of this.#numbering.addFolders(name)) this.#folderOf(key).undecided += 1
  }

  /** @param name the likely name of the stored entry; null when the URL failed and is left out */
  decide(position: number, name: string | null): void {
    if (this.#decided[position] !== undefined) this.undecide(position)
    this.#decided[position] = name
    if (name !== null && familyKey(name) !== this.#requestedFamily(position))
      this.#familyOf(name).add(position)
    for (const key of this.#requestedFolders(position)) {
      const folder = this.#folderOf(key)
      folder.undecided -= 1
      if (name !== null) folder.stored += 1
    }
  }

  /** The entry was dropped, and its URL is fetched again. */
  undecide(position: number): void {
    const name = this.#decided[position]
    if (name === undefined) return
    this.#decided[position] = undefined
    for (const key of this.#requestedFolders(position)) {
      const folder = this.#folderOf(key)
      folder.undecided += 1
      if (name !== null) folder.stored -= 1
    }
    if (name !== null && familyKey(name) !== this.#requestedFamily(position))
      this.#familyOf(name).remove(position)
    this.#kept.delete(position)
    this.#beginAgain()
  }

  /** The entry has this name for good. */
  keep(position: number, finalName: string): void {
    if (this.#known.get(position) === undefined) this.#numbering.take(finalName)
    this.#known.set(position, finalName)
    this.#kept.set(position, finalName)
  }

  /** Null while it can change. */
  finalName(position: number): string | null {
    const likely = this.#decided[position]
    const known = this.#known.get(position)
    if (known !== undefined) return known
    if (likely === undefined || likely === null || this.#isOpenBefore(position)) return null
    const family = this.#familyOf(likely)
    for (let member = family.next(); member !== null && member <= position; member = family.next()) {
      const name = this.#decided[member]
      if (name === undefined) return null
      if (name !== null && !this.#known.has(member)) {
        const finalName = this.#numbering.next(name)
        if (finalName === null) return null
        this.#known.set(member, finalName)
      }
      family.pass()
    }
    return this.#known.get(position) ?? null
  }

  #isOpenBefore(position: number): boolean {
    while (this.#firstOpen < position) {
      const isOpen = this.#decided[this.#firstOpen] === undefined && this.#requested[this.#firstOpen] === null
      if (isOpen) return true
      this.#firstOpen += 1
    }
    return false
  }

  #beginAgain(): void {
    this.#numbering = this.#newNumbering()
    for (const name of this.#requested) if (name !== null) this.#numbering.addFolders(name)
    for (const name of this.#kept.values()) this.#numbering.take(name)
    this.#known = new Map(this.#kept)
    for (const family of this.#families.values()) family.restart()
    this.#firstOpen = 0
  }

  #newNumbering(): Numbering {
    return new Numbering((key) => this.#isFolder(key))
  }

  #isFolder(key: string): FolderKnowledge {
    const folder = this.#folders.get(key)
    if (folder === undefined) return false
    if (folder.stored > 0) return true
    return folder.undecided > 0 ? null : false
  }

  #familyOf(name: string): Family {
    const key = familyKey(name)
    let family = this.#families.get(key)
    if (family === undefined) {
      family = new Family()
      this.#families.set(key, family)
    }
    return family
  }

  #requestedFamily(position: number): string | null {
    const name = this.#requested[position] ?? null
    return name === null ? null : familyKey(name)
  }

  #requestedFolders(position: number): readonly string[] {
    const name = this.#requested[position] ?? null
    return name === null ? [] : this.#numbering.addFolders(name)
  }

  #folderOf(key: string): { undecided: number; stored: number } {
    const known = this.#folders.get(key)
    if (known !== undefined) return known
    const folder = { undecided: 0, stored: 0 }
    this.#folders.set(key, folder)
    return folder
  }
}

/** The URLs of one family, by position. Those that were passed have their names. */
class Family {
  #members: number[] = []
  #passed = 0
  #isSorted = true

  add(position: number): void {
    this.#isSorted &&= position > (this.#members.at(-1) ?? -1)
    this.#members.push(position)
  }

  remove(position: number): void {
    this.#members = this.#members.filter((member) => member !== position)
  }

  next(): number | null {
    if (!this.#isSorted) {
      const waiting = this.#members.splice(this.#passed).sort((a, b) => a - b)
      for (const member of waiting) this.#members.push(member)
      this.#isSorted = true
    }
    return this.#members[this.#passed] ?? null
  }

  pass(): void {
    this.#passed += 1
  }

  restart(): void {
    this.#passed = 0
    this.#isSorted = false
  }
}

/**
 * The same for all names that could be numbers of each other, and for all extensions that a content type could add. Long names
 * are shortened when they are numbered, so only the beginning counts.
 */
function familyKey(name: string): string {
  const fileAt = name.lastIndexOf('/') + 1
  const segment = folded(name.slice(fileAt))
  const dot = segment.indexOf('.', 1)
  let stem = dot < 0 ? segment : segment.slice(0, dot)
  for (let numbered = NUMBER.exec(stem); numbered !== null; numbered = NUMBER.exec(stem))
    stem = stem.slice(0, numbered.index)
  return `${folded(name.slice(0, fileAt))}${stem.slice(0, FAMILY_CHARACTERS)}`
}

const NUMBER = / \(\d{1,9}\)$/

/** No more than what is left of the longest numbered name. */
const FAMILY_CHARACTERS = 32
