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
export function treeRows<File extends { readonly name: string }>(files: readonly File[]): TreeRow<File>[] {
  const rows: TreeRow<File>[] = []
  addRows(rows, files, '', 0)
  return rows
}

function addRows<File extends { readonly name: string }>(
  rows: TreeRow<File>[],
  files: readonly File[],
  path: string,
  depth: number,
): void {
  const folders = new Map<string, File[]>()
  const own: File[] = []
  for (const file of files) {
    const end = file.name.indexOf('/', path.length)
    if (end === -1) {
      own.push(file)
      continue
    }
    const name = file.name.slice(path.length, end)
    const found = folders.get(name)
    if (found) found.push(file)
    else folders.set(name, [file])
  }
  for (const [name, files] of folders) {
    const folder: Folder<File> = { kind: 'folder', path: `${path}${name}/`, name, depth, files }
    rows.push(folder)
    addRows(rows, files, folder.path, depth + 1)
  }
  for (const file of own) rows.push({ kind: 'file', file, depth })
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
