import { splitExtension } from './file-extension.ts'

/** The longest file name that all common file systems (APFS, ext4, NTFS) allow, in bytes of UTF-8. */
const maxSegmentBytes = 255

/**
 * Makes a path segment safe on every common system: in NFC, without characters that Windows forbids, control characters and
 * bidirectional controls, and without trailing dots or spaces. Use `fitSegment` on the result.
 */
export function safeSegment(raw: string): string {
  // Most names are plain, and the check is fast.
  if (plainSegment.test(raw)) return raw
  // NFC joins at most four code units into one character, for example `ᾂ` with its three marks.
  const text = withoutOverlongMarks(shortened(withoutTrailingDotsAndSpaces(raw), 4 * maxSegmentBytes))
  // NFC writes some characters as two, of which one is a mark, for example `ড়`.
  const composed = withoutOverlongMarks(text.normalize('NFC'))
  return shortened(composed, maxSegmentBytes).replace(forbidden, '_') || '_'
}

/**
 * Joins a safe stem and ending, and shortens the stem so that both fit into a segment. No character is split, and the ending
 * is kept whole. Prefixes names of Windows devices with `_`. That happens only here, since shortening may produce such a name.
 */
export function fitSegment(stem: string, ending: string): string {
  const cut = cutToFit(stem, ending)
  const name = ending === '' ? withoutTrailingDotsAndSpaces(cut) || '_' : cut + ending
  return windowsDevice.test(name) ? fitSegment(`_${stem}`, ending) : name
}

function cutToFit(stem: string, ending: string): string {
  // A UTF-16 code unit takes at most three bytes in UTF-8, so short names always fit.
  if ((stem.length + ending.length) * 3 <= maxSegmentBytes) return stem
  const roomBytes = maxSegmentBytes - utf8.encode(ending).length
  return stem.slice(0, utf8.encodeInto(stem, new Uint8Array(roomBytes)).read)
}

const utf8 = new TextEncoder()

/** Names that `safeSegment` doesn't change. */
const plainSegment = /^[\w .()+,=@~-]{0,254}[\w()+,=@~-]$/

/** Forbidden on Windows, separators, or able to make a name look like another one. */
const forbidden = /[<>:"|?*/\\\p{Control}\p{Bidi_Control}]/gu

/** Drops characters that can't fit into a segment, to save work. A code unit takes at least one byte. */
function shortened(text: string, codeUnits: number): string {
  if (text.length <= codeUnits) return text.toWellFormed()
  const { stem, extension } = splitExtension(text)
  return stem.slice(0, codeUnits).toWellFormed() + extension
}

/**
 * Drops combining marks beyond the thirtieth of a character, the limit of the Stream-Safe Text Format (UAX #15 section 13). No
 * language needs more, and the time to normalize them grows with the square of their number.
 */
function withoutOverlongMarks(text: string): string {
  return text.replace(overlongMarks, '$1')
}

const overlongMarks = /(\p{Mark}{30})\p{Mark}+/gu

/** Windows drops these when it creates a file. A loop, since a regular expression would take quadratic time. */
function withoutTrailingDotsAndSpaces(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '.' || text[end - 1] === ' ')) end -= 1
  return text.slice(0, end)
}

/**
 * Windows treats `nul`, `NUL.txt` and `nul .tar.gz` as the device. Microsoft, "Naming Files, Paths, and Namespaces":
 * superscript digits count as digits there.
 */
const windowsDevice = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[1-9¹²³])\s*(?:\.|$)/i
