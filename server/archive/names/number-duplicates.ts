import { splitExtension } from './file-extension.ts'
import { fitSegment } from './safe-segment.ts'

/** A numbered name is at most this many bytes longer than the likely name: ` (`, nine digits and `)`. */
export const numberingRoomBytes = 12

/**
 * Numbers entries of the same name, in the order given: `a.txt`, `a (2).txt`, `a (3).txt`. Names that differ only in case or
 * Unicode normalization count as the same, since Windows and macOS would write them to one file. A file with the name of a
 * folder is numbered as well, whichever comes first. Otherwise, a name depends on those before it alone, so that it is final as
 * soon as they are known. Returns one name per entry, in the same order. Takes time in proportion to the total length of the
 * names.
 */
export function numberDuplicates(names: readonly string[]): string[] {
  const numbering = new Numbering()
  for (const name of names) numbering.addFolders(name)
  return names.map((name) => numbering.next(name) ?? name)
}

/** Whether a folder has a name; null while that is not known. */
export type FolderKnowledge = boolean | null

/** Gives names to entries one after the other, as `numberDuplicates` does. */
export class Numbering {
  readonly #folders = new FolderTree()
  readonly #isFolder: (key: string) => FolderKnowledge
  readonly #owners = new Set<string>()
  /** By pattern, the next number to try, so that no name is tried twice. */
  readonly #numbers = new Map<string, number>()
  readonly #parts = new Map<string, NameParts>()

  /** @param isFolder whether a folder has this key; without it, those that were added */
  constructor(isFolder?: (key: string) => FolderKnowledge) {
    this.#isFolder = isFolder ?? ((key) => this.#folders.has(key))
  }

  /** Makes the folders of a name known. Returns their keys, from the outermost to the innermost. */
  addFolders(name: string): string[] {
    return name.includes('/') ? this.#folders.keysOf(pathOf(name)) : []
  }

  /** Takes a name as it is, for an entry that keeps it. */
  take(name: string): void {
    this.#owners.add(this.#folders.keyOf(name))
  }

  /** The final name of the next entry; null while it is not known whether a folder has that name. */
  next(name: string): string | null {
    const isTaken = this.#tryToTake(this.#folders.keyOf(name))
    if (isTaken === null) return null
    if (isTaken) return name
    let known = this.#parts.get(name)
    if (known === undefined) {
      known = partsOf(name, this.#folders)
      this.#parts.set(name, known)
    }
    const numbered = numberedSegment(known, (key) => this.#tryToTake(key), this.#numbers)
    return numbered === null ? null : known.path + numbered
  }

  /** False when another entry or a folder has the name; null while it is not known whether a folder has. */
  #tryToTake(key: string): boolean | null {
    if (this.#owners.has(key)) return false
    const isFolder = this.#isFolder(key)
    if (isFolder === false) this.#owners.add(key)
    return isFolder === null ? null : !isFolder
  }
}

/** What all numbered forms of a name have in common. Thousands of files are often called the same. */
interface NameParts {
  readonly path: string
  readonly folderId: number
  readonly stem: string
  readonly extension: string
  /** By the number of digits, minus one. */
  readonly patterns: string[]
}

function partsOf(name: string, folders: FolderTree): NameParts {
  const path = pathOf(name)
  return { path, folderId: folders.idOf(path), ...splitExtension(name.slice(path.length)), patterns: [] }
}

/** Everything before the last segment, including the slash. */
function pathOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1)
}

/**
 * The name with the first free number, from 2. `numbers` holds, for each pattern of names, the next number to try, so that no
 * name is tried twice. A pattern such as `a (00).txt` includes the number of digits, because they determine how much of a
 * long stem is kept: long names with the same beginning share a pattern.
 * @param take takes a name by its key; false if it is taken already, null if that is not known yet
 * @returns null if that of the first free one is not known
 */
function numberedSegment(
  { folderId, stem, extension, patterns }: NameParts,
  take: (key: string) => boolean | null,
  numbers: Map<string, number>,
): string | null {
  for (let digits = 1; ; digits += 1) {
    const pattern =
      patterns[digits - 1] ?? keyIn(folderId, fitSegment(stem, ` (${'0'.repeat(digits)})${extension}`))
    patterns[digits - 1] = pattern
    let number = numbers.get(pattern) ?? Math.max(2, 10 ** (digits - 1))
    for (; number < 10 ** digits; number += 1) {
      const segment = fitSegment(stem, ` (${number})${extension}`)
      const isTaken = take(keyIn(folderId, segment))
      if (isTaken === null) return null
      if (!isTaken) continue
      numbers.set(pattern, number + 1)
      return segment
    }
    numbers.set(pattern, number)
  }
}

/** The folders of all names. Each has a numeric id, so that deep paths are not compared as text. */
class FolderTree {
  readonly #ids = new Map<string, number>()

  /** The keys of the folders `a/` and `a/b/`. */
  keysOf(path: string): string[] {
    const keys: string[] = []
    this.idOf(path, (key) => keys.push(key))
    return keys
  }

  /** The id of the folder `a/b/`. */
  idOf(path: string, onKey?: (key: string) => void): number {
    let id = TOP_FOLDER
    for (let start = 0; start < path.length; ) {
      const end = path.indexOf('/', start)
      const key = keyIn(id, path.slice(start, end))
      id = this.#ids.get(key) ?? this.#ids.size + 1
      this.#ids.set(key, id)
      onKey?.(key)
      start = end + 1
    }
    return id
  }

  /** The same for all names that count as duplicates of each other, and for a folder of that name. */
  keyOf(name: string): string {
    if (!name.includes('/')) return keyIn(TOP_FOLDER, name)
    const path = pathOf(name)
    return keyIn(this.idOf(path), name.slice(path.length))
  }

  /** Whether a folder has this key. */
  has(key: string): boolean {
    return this.#ids.has(key)
  }
}

const TOP_FOLDER = 0

/** Without an id in the top folder, where most files are: most keys are then the names themselves, and take no memory. */
function keyIn(folderId: number, segment: string): string {
  return folderId === TOP_FOLDER ? folded(segment) : `${folderId}/${folded(segment)}`
}

/** Canonical caseless matching, with upper- and then lower-casing for the case folding (Unicode 3.13, D145). */
export function folded(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

const ascii = /^[ -~]*$/
