import { join } from 'node:path'
import type { Rolldown } from 'vite'

type Name = (id: string, context: { getModuleInfo(id: string): Rolldown.ModuleInfo | null }) => string | null

/**
 * Puts all that a document shows first into one chunk. Otherwise, it would be cut up by what pages that are loaded later share with
 * it, and each piece costs a request, whose headers may be longer than the piece.
 *
 * @param name the chunk's
 * @param entry the script that shows it
 */
export function firstChunk(name: string, entry: string): Name {
  let ids: ReadonlySet<string> | undefined
  return (id, context) => {
    ids ??= importedBy(join(import.meta.dirname, entry), (id) => context.getModuleInfo(id)?.importedIds ?? [])
    return ids.has(id) ? name : null
  }
}

/** All modules that a module imports, also indirectly, but for those that are loaded later. */
function importedBy(entry: string, importsOf: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set([entry])
  for (const id of found) for (const imported of importsOf(id)) found.add(imported)
  return found
}
