import { splitExtension } from './file-extension.ts'
import { fitSegment } from './safe-segment.ts'

/** A numbered name is at most this many bytes longer than the likely name: ` (`, nine digits and `)`. */
export const numberingRoomBytes = 12

/**
 * Numbers entries of the same name, in the order given: `a.txt`, `a (2).txt`, `a (3).txt`. Names that differ only in case or
 * Unicode normalization count as the same, since Windows and macOS would write them to one file. A file with the name of a
 * folder is numbered as well. An entry whose own name already looks numbered keeps it. Returns one name per entry, in the
 * same order. Takes time in proportion to the total length of the names.
 */
export function numberDuplicates(names: readonly string[]): string[] {
  const folders = new FolderTree()
  for (const name of names) if (name.includes('/')) folders.idOf(pathOf(name))
  const owners = new Set<string>()
  const duplicates: number[] = []
  const take = (key: string): boolean => {
    if (folders.has(key)) return false
    const ownerCount = owners.size
    return owners.add(key).size > ownerCount
  }
  names.forEach((name, index) => {
    if (!take(folders.keyOf(name))) duplicates.push(index)
  })
  const numbers = new Map<string, number>()
  const parts = new Map<string, NameParts>()
  const numbered = [...names]
  for (const index of duplicates) {
    const name = names[index] ?? ''
    let known = parts.get(name)
    if (known === undefined) {
      known = partsOf(name, folders)
      parts.set(name, known)
    }
    numbered[index] = known.path + numberedSegment(known, take, numbers)
  }
  return numbered
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
 * @param take takes a name by its key; false if it is taken already
 */
function numberedSegment(
  { folderId, stem, extension, patterns }: NameParts,
  take: (key: string) => boolean,
  numbers: Map<string, number>,
): string {
  for (let digits = 1; ; digits += 1) {
    const pattern =
      patterns[digits - 1] ?? keyIn(folderId, fitSegment(stem, ` (${'0'.repeat(digits)})${extension}`))
    patterns[digits - 1] = pattern
    let number = numbers.get(pattern) ?? Math.max(2, 10 ** (digits - 1))
    for (; number < 10 ** digits; number += 1) {
      const segment = fitSegment(stem, ` (${number})${extension}`)
      if (!take(keyIn(folderId, segment))) continue
      numbers.set(pattern, number + 1)
      return segment
    }
    numbers.set(pattern, number)
  }
}

/** The folders of all names. Each has a numeric id, so that deep paths are not compared as text. */
class FolderTree {
  readonly #ids = new Map<string, number>()

  /** The id of the folder `a/b/`. */
  idOf(path: string): number {
    let id = TOP_FOLDER
    for (let start = 0; start < path.length; ) {
      const end = path.indexOf('/', start)
      const key = keyIn(id, path.slice(start, end))
      id = this.#ids.get(key) ?? this.#ids.size + 1
      this.#ids.set(key, id)
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
function folded(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

const ascii = /^[ -~]*$/
