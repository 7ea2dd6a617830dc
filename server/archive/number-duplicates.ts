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
  names.forEach((name, index) => {
    const key = folders.keyOf(name)
    if (folders.has(key) || owners.has(key)) duplicates.push(index)
    else owners.add(key)
  })
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  const isFree = (key: string) => !owners.has(key) && !taken.has(key) && !folders.has(key)
  const numbered = [...names]
  for (const index of duplicates) {
    const name = names[index] ?? ''
    const path = pathOf(name)
    const folderId = folders.idOf(path)
    const segment = numberedSegment(name.slice(path.length), folderId, isFree, numbers)
    taken.add(keyIn(folderId, segment))
    numbered[index] = path + segment
  }
  return numbered
}

/** Everything before the last segment, including the slash. */
function pathOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1)
}

/**
 * The name with the first free number, from 2. `numbers` holds, for each pattern of names, the next number to try, so that no
 * name is tried twice. A pattern such as `a (00).txt` includes the number of digits, because they determine how much of a
 * long stem is kept: long names with the same beginning share a pattern.
 */
function numberedSegment(
  given: string,
  folderId: number,
  isFree: (key: string) => boolean,
  numbers: Map<string, number>,
): string {
  const { stem, extension } = splitExtension(given)
  for (let digits = 1; ; digits += 1) {
    const pattern = keyIn(folderId, fitSegment(stem, ` (${'0'.repeat(digits)})${extension}`))
    let number = numbers.get(pattern) ?? Math.max(2, 10 ** (digits - 1))
    for (; number < 10 ** digits; number += 1) {
      const segment = fitSegment(stem, ` (${number})${extension}`)
      if (!isFree(keyIn(folderId, segment))) continue
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
