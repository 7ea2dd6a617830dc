import { lstatSync } from 'node:fs'
import { CommandError } from '../command.ts'

/**
 * Files next to an output are ours: anything else in their place, such as a pipe, a directory or a link, would fail after the work,
 * or lead elsewhere.
 * @throws CommandError
 */
export function assertFree(paths: readonly string[]): void {
  for (const path of paths.flatMap((path) => [path, `${path}.new`])) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined || found.isFile()) continue
    throw new CommandError(
      `${path} is in the way: it is not a regular file. Move it away, or choose another file with -o.`,
    )
  }
}
