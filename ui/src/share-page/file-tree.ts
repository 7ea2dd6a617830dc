import type { SharedFile } from '../api/types.ts'

export interface Folder {
  readonly kind: 'folder'
  /** From the top of the archive. */
  readonly path: string
  readonly name: string
  readonly depth: number
  /** All files in it, also those in folders of their own. */
  readonly files: readonly SharedFile[]
}

/** A row of the list. */
export type TreeRow = Folder | { readonly kind: 'file'; readonly file: SharedFile; readonly depth: number }

/** The rows of a list of files with folders: folders first, each followed by what is in it if it is open. */
export function treeRows(
  files: readonly SharedFile[],
  isOpen: (path: string) => boolean,
  path = '',
  depth = 0,
): TreeRow[] {
  const folders = new Map<string, SharedFile[]>()
  const own: SharedFile[] = []
  for (const file of files) {
    const end = file.name.indexOf('/', path.length)
    if (end === -1) own.push(file)
    else {
      const name = file.name.slice(path.length, end)
      const found = folders.get(name)
      if (found) found.push(file)
      else folders.set(name, [file])
    }
  }
  return [
    ...[...folders].flatMap(([name, files]) => {
      const folder: Folder = { kind: 'folder', path: `${path}${name}/`, name, depth, files }
      return isOpen(folder.path) ? [folder, ...treeRows(files, isOpen, folder.path, depth + 1)] : [folder]
    }),
    ...own.map((file) => ({ kind: 'file', file, depth }) as const),
  ]
}

/** The paths of all folders. */
export function foldersOf(files: readonly SharedFile[]): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const { name } of files) {
    for (let end = name.indexOf('/'); end !== -1; end = name.indexOf('/', end + 1))
      paths.add(name.slice(0, end + 1))
  }
  return paths
}
