import { statSync } from 'node:fs'

/** Which file a path leads to at the moment: another text when it is another file, null when there is none. */
export function fileIdentity(path: string): string | null {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false })
  return file === undefined ? null : `${file.dev}:${file.ino}`
}
