import { splitExtension } from './file-extension.ts'
import { extensionOfMediaType } from './media-type.ts'
import { fitSegment, safeSegment } from './safe-segment.ts'

export {
  type FolderKnowledge,
  folded,
  Numbering,
  numberDuplicates,
  numberingRoomBytes,
} from './number-duplicates.ts'

/** A URL as submitted, parsed, with the name that the client requested. */
export interface NamedSource {
  /** Null if the text is not a URL. */
  readonly url: { readonly hostname: string; readonly pathname: string } | null
  readonly filename: string | null
}

/** The parts of a response that may determine the name of its body. */
export interface NamingResponse {
  /** File name of the `Content-Disposition` header, decoded. */
  readonly headerName: string | null
  readonly contentType: string | null
}

/** Folders beyond this depth are dropped. This keeps names far below ZIP's limit of 65,535 bytes (APPNOTE 4.4.10). */
export const maxFolders = 64

/**
 * The name of an entry before duplicates are numbered: the name that the client requested, or else the name in the response,
 * or else the last path segment of the submitted URL, or else the host. Always a relative path of safe segments. Two sources
 * may get the same name; `numberDuplicates` makes them unique when all names are known.
 *
 * `response` is null before the response has begun; the name then lacks the extension that the content type may add.
 */
export function likelyEntryName(source: NamedSource, response: NamingResponse | null): string {
  const { folders, file, origin } = chosenName(source, response?.headerName ?? null)
  const name = safeFile(file, origin, response?.contentType ?? null)
  return folders.length === 0 ? name : [...folders.slice(0, maxFolders).map(safeFolder), name].join('/')
}

/**
 * The name that the client requested, as `likelyEntryName` gives it, but for the extension that the content type may add; null if
 * the response or the URL determines the name.
 */
export function requestedEntryName(filename: string | null): string | null {
  const chosen = chosenName({ url: null, filename }, null)
  return chosen.origin === 'client' ? likelyEntryName({ url: null, filename }, null) : null
}

interface ChosenName {
  /** Unchanged, as the file. Only a name from the client has some. */
  readonly folders: readonly string[]
  readonly file: string
  readonly origin: 'client' | 'header' | 'url' | 'host'
}

function chosenName({ url, filename }: NamedSource, headerName: string | null): ChosenName {
  const requested = filename === null ? noFolders : segmentsOf(filename.replace(driveLetter, ''))
  const file = requested.at(-1)
  if (file !== undefined) return { folders: requested.slice(0, -1), file, origin: 'client' }
  const inHeader = headerName === null ? null : lastSegment(headerName)
  if (inHeader !== null) return { folders: noFolders, file: inHeader, origin: 'header' }
  const inUrl = lastSegment(percentDecoded(url?.pathname ?? ''))
  if (inUrl !== null) return { folders: noFolders, file: inUrl, origin: 'url' }
  return { folders: noFolders, file: url?.hostname ?? '', origin: 'host' }
}

const noFolders: readonly string[] = []

/** Only at the start of the whole name; any other colon becomes `_`. */
const driveLetter = /^[a-z]:(?=[/\\])/i

/**
 * The segments of a path without empty ones, `.` and `..`. If none are left, the first `.` or `..` is kept, because the path is
 * not empty. `safeSegment` turns it into `_`.
 */
function segmentsOf(path: string): readonly string[] {
  const given = path.match(/[^/\\]+/g) ?? []
  const named = given.filter(isName)
  return named.length > 0 ? named : given.slice(0, 1)
}

/** Names from headers and URLs have no folders: everything before the last separator is dropped. */
function lastSegment(path: string): string | null {
  const end = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return isName(end) ? end : (segmentsOf(path).at(-1) ?? null)
}

function isName(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..'
}

/** Decodes sequences of `%XX` that are valid UTF-8, and leaves other sequences unchanged. */
function percentDecoded(path: string): string {
  return path.includes('%') ? path.replace(percentEncoded, decoded) : path
}

const percentEncoded = /(?:%[0-9a-f]{2})+/gi

function decoded(sequence: string): string {
  try {
    return decodeURIComponent(sequence)
  } catch {
    return sequence
  }
}

function safeFile(raw: string, origin: ChosenName['origin'], contentType: string | null): string {
  const file = safeSegment(raw)
  // The end of a host name looks like an extension, but isn't one.
  const { stem, extension } = origin === 'host' ? { stem: file, extension: '' } : splitExtension(file)
  if (origin === 'url' && programExtension.test(extension)) {
    const ofType = extensionOfMediaType(contentType)
    if (ofType !== '' && ofType !== '.html') return fitSegment(stem, ofType)
  }
  // `.htaccess` is a complete name: an added extension would be wrong.
  const added = extension === '' && !file.startsWith('.') ? extensionOfMediaType(contentType) : ''
  return fitSegment(stem, extension + added)
}

/** The end of such a URL names the program that answers (`report.aspx?id=1`), and the content type what it answers. A page keeps it. */
const programExtension = /^\.(?:aspx?|ashx|cfm|cgi|do|jspx?|php\d?)$/i

function safeFolder(raw: string): string {
  const { stem, extension } = splitExtension(safeSegment(raw))
  return fitSegment(stem, extension)
}
