import { splitExtension } from './file-extension.ts'
import { extensionOfMediaType } from './media-type.ts'
import { fitSegment, safeSegment } from './safe-segment.ts'

export { numberDuplicates, numberingRoomBytes } from './number-duplicates.ts'

/** What a response says about the name of its body. */
export interface NamingResponse {
  /** File name of the `Content-Disposition` header, decoded. */
  readonly headerName: string | null
  readonly contentType: string | null
}

/** Past this depth the folders nearest to the file go. It keeps names far below ZIP's 65,535 bytes (APPNOTE 4.4.10). */
export const maxFolders = 64

/**
 * The name of an entry as far as its own source decides it: what the client asked for, else what the response
 * says, else the end of the submitted URL, else the host. Always a relative path of safe segments; two sources may
 * get the same one, which `numberDuplicates` settles once all are known.
 *
 * `response` is null while there is none yet; the name then lacks the extension that a content type may add.
 */
export function likelyEntryName(
  source: { readonly url: string; readonly filename: string | null },
  response: NamingResponse | null,
): string {
  const { segments, isHost } = chosenName(source, response?.headerName ?? null)
  const folders = segments.slice(0, -1).slice(0, maxFolders)
  const file = safeSegment(segments.at(-1) ?? '')
  const { stem, extension } = isHost ? { stem: file, extension: '' } : splitExtension(file)
  // `.htaccess` is a whole name, to which an extension would do harm.
  const added =
    extension === '' && !file.startsWith('.') ? extensionOfMediaType(response?.contentType ?? null) : ''
  return [...folders.map(safeFolder), fitSegment(stem, extension + added)].join('/')
}

interface ChosenName {
  /** At least one, as they came; only a client's name has more than one. */
  readonly segments: readonly string[]
  /** The end of a host name looks like an extension and is none. */
  readonly isHost: boolean
}

function chosenName(source: { url: string; filename: string | null }, headerName: string | null): ChosenName {
  const asked = segmentsOf((source.filename ?? '').replace(driveLetter, ''))
  if (asked.length > 0) return { segments: asked, isHost: false }
  const url = URL.parse(source.url)
  const found = lastSegment(headerName ?? '') ?? lastSegment(percentDecoded(url?.pathname ?? ''))
  if (found !== null) return { segments: [found], isHost: false }
  return { segments: [url?.hostname ?? ''], isHost: true }
}

/** At the start of a whole name only; any other colon becomes `_`. */
const driveLetter = /^[a-z]:(?=[/\\])/i

/**
 * The segments that name something: empty ones, `.` and `..` go. A path of nothing but dots still is a name that
 * someone gave, so it is kept as one, for `safeSegment` to turn into `_`.
 */
function segmentsOf(path: string): readonly string[] {
  const given = path.match(/[^/\\]+/g) ?? []
  const named = given.filter((segment) => segment !== '.' && segment !== '..')
  return named.length > 0 ? named : given.slice(0, 1)
}

/** A header and a URL name a file, never a folder: what they hold before the last separator is dropped. */
function lastSegment(path: string): string | null {
  return segmentsOf(path).at(-1) ?? null
}

/** Decodes runs of `%XX` that are UTF-8 and leaves others as they are, so that nothing is lost of them. */
function percentDecoded(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })
}

function safeFolder(raw: string): string {
  const { stem, extension } = splitExtension(safeSegment(raw))
  return fitSegment(stem, extension)
}
