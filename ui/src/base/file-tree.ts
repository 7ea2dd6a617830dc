/** A folder in a list of files. */
export interface Folder<File> {
  readonly kind: 'folder'
  /** From the top of the archive, with a slash at the end. */
  readonly path: string
  readonly name: string
  readonly depth: number
  /** All files in it, also those in folders of their own. */
  readonly files: readonly File[]
}

/** A row of the list. */
export type TreeRow<File> =
  | Folder<File>
  | { readonly kind: 'file'; readonly file: File; readonly depth: number }

/** All rows of a list of files with folders: folders first, each followed by what is in it. Names have slashes between folders. */
export function treeRows<File extends { readonly name: string }>(
  files: readonly File[],
  path = '',
  depth = 0,
): TreeRow<File>[] {
  const folders = new Map<string, File[]>()
  const own: File[] = []
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
      const folder: Folder<File> = { kind: 'folder', path: `${path}${name}/`, name, depth, files }
      return [folder, ...treeRows(files, folder.path, depth + 1)]
    }),
    ...own.map((file) => ({ kind: 'file', file, depth }) as const),
  ]
}

/** The rows without what is in folders that are folded. */
export function unfoldedRows<File>(
  rows: readonly TreeRow<File>[],
  isFolded: (path: string) => boolean,
): readonly TreeRow<File>[] {
  let foldedDepth = Number.POSITIVE_INFINITY
  return rows.filter((row) => {
    if (row.depth > foldedDepth) return false
    foldedDepth = row.kind === 'folder' && isFolded(row.path) ? row.depth : Number.POSITIVE_INFINITY
    return true
  })
}
