import { statSync } from 'node:fs'

/** Identifies the file that is at a path now: another file gives another text, no file gives null. */
export function fileIdentity(path: string): string | null {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false })
  return file === undefined ? null : `${file.dev}:${file.ino}`
}
