/** The error code of the system or the database, such as `ENOSPC` or `SQLITE_FULL`; empty if there is none. */
export function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return systemCode(error.cause)
}

/**
 * Faults of the machine, not of the request: the same request works after they are repaired.
 * - `disk-full`: the disk or a quota on it is full
 * - `disk-unusable`: the disk can't be read or written: read-only, no permission, broken, missing
 * - `database-busy`: another program locks the database
 */
export type SystemFault = 'disk-full' | 'disk-unusable' | 'database-busy'

/** Null for any other error, including a missing file. */
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

/** The path that the system refused; null for an error that is not the system's, or that names no path. */
export function refusedPath(error: unknown): string | null {
  const isOfSystem = error instanceof Error && 'syscall' in error && 'code' in error
  return isOfSystem && 'path' in error && typeof error.path === 'string' ? error.path : null
}
