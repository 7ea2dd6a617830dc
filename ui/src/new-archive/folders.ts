import { requestedEntryName } from '../../../server/archive/names/entry-name.ts'
import type { DraftLink } from './draft-links.ts'
import { expectedName } from './expected-name.ts'

/** A link with the same name in another folder; an empty one is the top of the archive. */
export function inFolder(link: DraftLink, folder: string): DraftLink {
  const name = link.filename ?? expectedName(link)
  return { ...link, filename: joined(folder, baseName(name)) }
}

/**
 * A link with a name that was typed in a folder. Without a name, it keeps its folder, and the URL decides again. A folder alone, with a
 * slash at its end, is where the file goes, and a slash at the beginning leads out of the folder to the top of the archive.
 */
export function renamed(link: DraftLink, folder: string, typed: string): DraftLink {
  if (typed === '') {
    const unnamed = { ...link, filename: null }
    return folder === '' ? unnamed : inFolder(unnamed, folder)
  }
  const name = typed.endsWith('/') ? typed + baseName(link.filename ?? expectedName(link)) : typed
  return { ...link, filename: name.startsWith('/') ? name.replace(/^\/+/, '') : joined(folder, name) }
}

/** The folders of the names, each once and by name. */
export function foldersOf(links: readonly DraftLink[]): string[] {
  const folders = new Set<string>()
  const folderOf = folderReader()
  for (const link of links) folders.add(folderOf(link))
  folders.delete('')
  return [...folders].toSorted()
}

/**
 * Reads the folders of names that a person has given, as the archive will have them; empty for its top. Reads each once: to make the
 * folders of thousands of links safe would block the page.
 */
export function folderReader(): (link: DraftLink) => string {
  const known = new Map<string, string>()
  return ({ filename }) => {
    if (filename === null) return ''
    const end = lastSeparator(filename) + 1
    if (end === 0) return ''
    const given = filename.slice(0, end)
    let folder = known.get(given)
    if (folder === undefined) {
      folder = requestedEntryName(`${given}_`)?.slice(0, -'/_'.length) ?? ''
      known.set(given, folder)
    }
    return folder
  }
}

/** What follows the last separator of a name. */
export function baseName(name: string): string {
  return name.slice(lastSeparator(name) + 1)
}

/** -1 if there is none. */
function lastSeparator(name: string): number {
  return Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'))
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
