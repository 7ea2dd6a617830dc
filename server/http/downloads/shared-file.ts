import type { ByteRange } from '../../bytes.ts'
import type { SharedFile, SharedSelection } from '../../downloads/shared-archives.ts'
import { contentOf, joined, streamedPieces } from './file-content.ts'
import type { Content, FileToSend, Pace } from './send-file.ts'

/**
 * How one file out of an archive is sent. Strangers made it, so no browser shows it as a page of this origin: it is always
 * saved, and if a browser renders it all the same, it runs no script and loads nothing. Kinds that contain no script have no
 * such policy, since a policy keeps some browsers from playing them.
 */
export function sharedFileToSend(file: SharedFile, pace: Pace): FileToSend {
  const mediaType = mediaTypeOf(file.filename)
  const policy = isInert(mediaType) ? {} : { 'content-security-policy': SANDBOX }
  return {
    file,
    headers: { 'content-type': mediaType, ...policy },
    hasRanges: file.storedOffset !== null,
    body: (range) => bodyOf(file, range, pace),
  }
}

/** A ZIP of some files, whose bytes are made as they are sent. */
export function selectionToSend(selection: SharedSelection, pace: Pace): FileToSend {
  const { sizeBytes } = selection
  return {
    file: selection,
    headers: { 'content-type': 'application/zip' },
    hasRanges: true,
    body(range) {
      const { start, end } = range ?? { start: 0, end: sizeBytes }
      const partBytes = pace.memory.partBytes()
      const pieces = joined(selection.pieces({ start, end }, partBytes), partBytes)
      return streamedPieces(pieces, end - start, pace)
    },
  }
}

const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'"

/**
 * Type and subtype by the extension of the name. The charset that Bun adds is a guess. Code and style sheets have no type of
 * their own: a page of this origin must not be able to use them.
 */
function mediaTypeOf(filename: string): string {
  const [, extension = ''] = /\.([a-z0-9]{1,10})$/i.exec(filename) ?? []
  const type = Bun.file(`x.${extension}`).type.split(';')[0] ?? BYTES
  if (type === 'application/wasm') return BYTES
  return OF_PAGES.test(type) ? 'text/plain' : type
}

const DECODED_COPIES = 4

const BYTES = 'application/octet-stream'

/** All names of JavaScript (https://mimesniff.spec.whatwg.org/#javascript-mime-type), and CSS. */
const OF_PAGES = /(?:java|ecma|live|j)script|\/css$/

function isInert(mediaType: string): boolean {
  return INERT.has(mediaType) || /^(?:audio|video)\//.test(mediaType)
}

/** Raster images, and PDF, which browsers show outside of the origin. Not SVG, which contains scripts. */
const INERT: ReadonlySet<string> = new Set([
  'application/pdf',
  'image/avif',
  'image/gif',
  'image/heic',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'image/x-icon',
  'image/x-ms-bmp',
])

/**
 * A part of a stored file is sent unchecked. A whole file is checked: a damaged one gets an error, or, when its first bytes are
 * on their way, a connection that breaks off.
 */
async function bodyOf(file: SharedFile, range: ByteRange | null, pace: Pace): Promise<Content> {
  if (file.storedOffset !== null && range !== null && range.end - range.start < file.sizeBytes) {
    const { storedOffset } = file
    return contentOf(
      file.content,
      { start: storedOffset + range.start, end: storedOffset + range.end },
      file.sizeBytes,
      pace,
    )
  }
  const partBytes = pace.memory.partBytes()
  // A decoder holds parts in front of it and behind it.
  const pieceBytes = file.storedOffset === null ? Math.floor(partBytes / DECODED_COPIES) : partBytes
  return streamedPieces(file.pieces(pieceBytes), file.sizeBytes, pace)
}
