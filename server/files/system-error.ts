/** What the system or the database calls the reason of an error, as `ENOSPC` or `SQLITE_FULL`; empty when nothing. */
export function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return systemCode(error.cause)
}

/**
 * Faults of the machine that are nobody's mistake in the request: the same request works once they are mended.
 * - `disk-full`: the disk, or a quota on it, has no room
 * - `disk-unusable`: it takes or gives no bytes: read-only, without permission, broken, gone
 * - `database-busy`: another program holds the database
 */
export type SystemFault = 'disk-full' | 'disk-unusable' | 'database-busy'

/** Null for an error that is none of the machine's, a file that is missing among them. */
export function systemFault(error: unknown): SystemFault | null {
  const code = systemCode(error)
  const found = FAULTS.find(([, codes]) => codes.test(code))
  return found === undefined ? null : found[0]
}

/** SQLite's extended codes begin with their primary ones: `SQLITE_IOERR_WRITE`, `SQLITE_READONLY_DBMOVED`. */
const FAULTS: readonly (readonly [SystemFault, RegExp])[] = [
  ['disk-full', /^(?:ENOSPC|EDQUOT|SQLITE_FULL)$/],
  ['disk-unusable', /^(?:EROFS|EIO|EACCES|EPERM|ENXIO|ENODEV|ESTALE)$/],
  ['disk-unusable', /^SQLITE_(?:IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)(?:_\w+)?$/],
  ['database-busy', /^SQLITE_(?:BUSY|LOCKED)(?:_\w+)?$/],
]
