import { knownFileKind } from '../../../server/archive/names/file-kind.ts'
import type { FileKind } from '../../../server/vocabulary.ts'

export type { FileKind }

/** The kind of a file, by its name or by the last part of its URL. */
export function fileKind(nameOrUrl: string): FileKind {
  return knownFileKind(nameOrUrl) ?? 'other'
}

/** The kind of a file whose name may be a title without an ending: then the URL decides. */
export function kindOfFile(name: string | null, url: string): FileKind {
  return knownFileKind(name ?? '') ?? fileKind(url)
}
