import { splitExtension } from './file-extension.ts'

/** What every file system in use allows a file name (APFS, ext4, NTFS), in bytes of UTF-8. */
export const maxSegmentBytes = 255

/**
 * Makes one segment of a path of characters that can be written on every common system and show themselves as what
 * they are: in NFC, without what Windows forbids, control characters and bidirectional controls, not ending in dots
 * or spaces. `fitSegment` ends the work.
 */
export function safeSegment(raw: string): string {
  // As most are: thousands of names take time.
  if (isPlain.test(raw)) return raw
  // Four code units make one character in NFC at most, as in `ᾂ` with its three marks.
  const text = shortened(withoutTrailingDotsAndSpaces(raw), 4 * maxSegmentBytes).replace(overlongMarks, '$1')
  return shortened(text.normalize('NFC'), maxSegmentBytes).replace(forbidden, '_') || '_'
}

/**
 * Puts a safe stem and ending together, cutting the stem so that both fit into a segment; no character is split,
 * and the ending is kept whole. A name that Windows takes for a device gets a `_` before it: only here, since a cut
 * can lay one bare.
 */
export function fitSegment(stem: string, ending: string): string {
  const cut = cutToBytes(stem, maxSegmentBytes - utf8.encode(ending).length)
  const name = ending === '' ? withoutTrailingDotsAndSpaces(cut) || '_' : cut + ending
  return isWindowsDevice(name) ? fitSegment(`_${stem}`, ending) : name
}

function cutToBytes(text: string, roomBytes: number): string {
  // A UTF-16 code unit takes three bytes at most, so short texts need no measuring.
  if (text.length * 3 <= roomBytes) return text
  return text.slice(0, utf8.encodeInto(text, new Uint8Array(roomBytes)).read)
}

const utf8 = new TextEncoder()

/** Comes out of `safeSegment` as it is. */
const isPlain = /^[\w .()+,=@~-]{0,254}[\w()+,=@~-]$/

/** Reserved by Windows, or able to make a name look like another; the separators for good measure. */
const forbidden = /[<>:"|?*/\\\p{Control}\p{Bidi_Control}]/gu

/** Drops what is sure not to fit into a segment, a byte being the least that a code unit takes, to save work on it. */
function shortened(text: string, codeUnits: number): string {
  if (text.length <= codeUnits) return text.toWellFormed()
  const { stem, extension } = splitExtension(text)
  return stem.slice(0, codeUnits).toWellFormed() + extension
}

/**
 * Marks past the thirtieth on one character, the bound of the Stream-Safe Text Format (UAX #15 section 13): no
 * language needs so many, and normalising a run of them takes time by its square.
 */
const overlongMarks = /(\p{Mark}{30})\p{Mark}+/gu

/** Windows drops them when it creates a file. A loop, since a pattern would try every run of spaces twice over. */
function withoutTrailingDotsAndSpaces(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '.' || text[end - 1] === ' ')) end -= 1
  return text.slice(0, end)
}

/** Windows takes `nul`, `NUL.txt` and `nul .tar.gz` alike for the device. */
function isWindowsDevice(name: string): boolean {
  const [base = ''] = name.split('.', 1)
  return windowsDevices.has(base.trimEnd().toUpperCase())
}

/** Microsoft, "Naming Files, Paths, and Namespaces"; the superscript digits count there as digits. */
const windowsDevices: ReadonlySet<string> = new Set([
  ...['CON', 'PRN', 'AUX', 'NUL', 'CONIN$', 'CONOUT$'],
  ...[...'123456789¹²³'].flatMap((digit) => [`COM${digit}`, `LPT${digit}`]),
])
