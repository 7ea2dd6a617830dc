import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of Node. `bun run` puts a directory into PATH in which `node` is Bun: that one does not count. */
export function findNode(): string {
  const paths = (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, 'node'))
  const found = paths.find((path) => existsSync(path) && isNode(path))
  if (found === undefined) throw new Error('The tests need Node 20.3 or later: please install it.')
  return found
}

function isNode(path: string): boolean {
  const { stdout } = Bun.spawnSync([path, '--print', 'process.versions.bun === undefined'])
  return stdout.toString().trim() === 'true'
}
