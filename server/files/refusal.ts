import { systemCode } from './system-error.ts'

/** Why a file or directory can't be used, as the end of a sentence that begins with its path. */
export function refusalOf(error: unknown): string {
  const code = systemCode(error)
  // SQLite's extended codes begin with their primary ones.
  const reason = REASONS[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code] ?? 'cannot be used'
  return code === '' ? reason : `${reason} (${code})`
}

const NOT_WRITABLE = 'may not be written by this user'
const FULL = 'lies on a disk that is full'
const DAMAGED = 'is damaged, or not a database of Holdall'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: 'lies on a file system that can only be read',
  ENOSPC: FULL,
  EDQUOT: 'lies where this user may store no more',
  EEXIST: 'is not a directory',
  ENOTDIR: 'lies below something that is not a directory',
  ENOENT: 'lies in a directory that is not there',
  ELOOP: 'is a link, where none is followed',
  SQLITE_CANTOPEN: 'may not be opened by this user',
  SQLITE_READONLY: NOT_WRITABLE,
  SQLITE_FULL: FULL,
  SQLITE_CORRUPT: DAMAGED,
  SQLITE_NOTADB: DAMAGED,
}
