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
  const files = names.map((name) => fileOf(name, folders))
  const owners = new Map<string, number>()
  for (const [index, { key }] of files.entries()) {
    if (!folders.has(key) && !owners.has(key)) owners.set(key, index)
  }
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  return files.map((file, index) => {
    if (owners.get(file.key) === index) return file.path + file.segment
    const isFree = (key: string) => !owners.has(key) && !taken.has(key) && !folders.has(key)
    const segment = numberedSegment(file, isFree, numbers)
    taken.add(keyIn(file.folderId, segment))
    return file.path + segment
  })
}

interface NamedFile {
  /** Everything before the last segment, including the slash. */
  readonly path: string
  readonly segment: string
  readonly folderId: number
  /** The same for all names that count as duplicates of each other. */
  readonly key: string
}

function fileOf(name: string, folders: FolderTree): NamedFile {
  const path = name.slice(0, name.lastIndexOf('/') + 1)
  const segment = name.slice(path.length)
  const folderId = folders.idOf(path)
  return { path, segment, folderId, key: keyIn(folderId, segment) }
}

/**
 * The name with the first free number, from 2. `numbers` holds, for each pattern of names, the next number to try, so that no
 * name is tried twice. A pattern such as `a (00).txt` includes the number of digits, because they determine how much of a
 * long stem is kept: long names with the same beginning share a pattern.
 */
function numberedSegment(
  file: NamedFile,
  isFree: (key: string) => boolean,
  numbers: Map<string, number>,
): string {
  const { stem, extension } = splitExtension(file.segment)
  for (let digits = 1; ; digits += 1) {
    const pattern = keyIn(file.folderId, fitSegment(stem, ` (${'0'.repeat(digits)})${extension}`))
    let number = numbers.get(pattern) ?? Math.max(2, 10 ** (digits - 1))
    for (; number < 10 ** digits; number += 1) {
      const segment = fitSegment(stem, ` (${number})${extension}`)
      if (!isFree(keyIn(file.folderId, segment))) continue
      numbers.set(pattern, number + 1)
      return segment
    }
    numbers.set(pattern, number)
  }
}

/** The folders of all names. Each has a numeric id, so that deep paths are not compared as text. */
class FolderTree {
  readonly #ids = new Map<string, number>()

  /** The id of the folder `a/b/`; the top folder has 0. */
  idOf(path: string): number {
    let id = 0
    for (const segment of path.split('/').slice(0, -1)) {
      const key = keyIn(id, segment)
      id = this.#ids.get(key) ?? this.#ids.size + 1
      this.#ids.set(key, id)
    }
    return id
  }

  /** Whether a folder has this key. A file and a folder of the same name have the same key. */
  has(key: string): boolean {
    return this.#ids.has(key)
  }
}

function keyIn(folderId: number, segment: string): string {
  return `${folderId}/${folded(segment)}`
}

/** Canonical caseless matching, with upper- and then lower-casing for the case folding (Unicode 3.13, D145). */
function folded(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

const ascii = /^[ -~]*$/
