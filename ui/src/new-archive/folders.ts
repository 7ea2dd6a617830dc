import type { DraftLink } from './draft-links.ts'
import { expectedName } from './expected-name.ts'

/** A link with the same name in another folder; an empty one is the top of the archive. */
export function inFolder(link: DraftLink, folder: string): DraftLink {
  const name = link.filename ?? expectedName(link)
  const file = name.slice(name.lastIndexOf('/') + 1)
  return { ...link, filename: folder === '' ? file : `${folder}/${file}` }
}

/** The folders of the names, each once and by name. */
export function foldersOf(links: readonly DraftLink[]): string[] {
  const folders = new Set<string>()
  for (const { filename } of links) {
    const end = filename?.lastIndexOf('/') ?? -1
    if (filename !== null && end > 0) folders.add(filename.slice(0, end))
  }
  return [...folders].toSorted()
}
