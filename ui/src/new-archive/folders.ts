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
  for (const link of links) folders.add(folderOf(link))
  folders.delete('')
  return [...folders].toSorted()
}

/** The folder of the name that a person has given; empty for the top of the archive. */
export function folderOf({ filename }: DraftLink): string {
  return filename?.slice(0, Math.max(0, filename.lastIndexOf('/'))) ?? ''
}
