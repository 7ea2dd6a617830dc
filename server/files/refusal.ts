import { systemCode } from './system-error.ts'

/** Why a file or directory can't be used, as the end of a sentence that begins with its path. */
export function refusalOf(error: unknown): string {
  const code = systemCode(error)
  // SQLite's extended codes begin with their primary ones.
  const reason = REASONS[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code] ?? 'cannot be used'
  return code === '' ? reason : `${reason} (${code})`
}

const NOT_WRITABLE = 'is not writable by this user'
const FULL = 'is on a full disk'
const DAMAGED = 'is damaged, or is not a database of Holdall'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: 'is on a read-only file system',
  ENOSPC: FULL,
  EDQUOT: "is on a disk on which this user's quota is used up",
  EEXIST: 'is not a directory',
  ENOTDIR: 'is inside something that is not a directory',
  ENOENT: 'is in a directory that does not exist',
  ELOOP: 'is a symbolic link, which Holdall does not follow here',
  SQLITE_CANTOPEN: 'cannot be opened by this user',
  SQLITE_READONLY: NOT_WRITABLE,
  SQLITE_FULL: FULL,
  SQLITE_CORRUPT: DAMAGED,
  SQLITE_NOTADB: DAMAGED,
}
