import { loginKind } from '../../../server/credentials/login-kind.ts'
import { titleIn } from '../links/find-title.ts'
import { textWithMoreLinks } from '../links/text-with-more-links.ts'

/** A text or a text file, and what it calls itself if that is known before it is read. */
export interface TransferredText {
  readonly content: string | File
  readonly title: string | null
}

/** What was pasted or dropped: texts and text files, and the names of files that are not text. */
export interface Transferred {
  readonly sources: readonly TransferredText[]
  readonly refused: readonly string[]
}

/** Reads what was pasted or dropped. Must be called during the event, after which the browser empties the transfer. */
export function transferred(transfer: DataTransfer): Promise<Transferred> {
  const files = [...transfer.files]
  if (files.length > 0) return textFiles(files)
  return Promise.resolve({
    sources: [textOf(transfer)].filter(({ content }) => content.trim() !== ''),
    refused: [],
  })
}

/** Sorts files into those that are text and those that are not, or are too long. */
export async function textFiles(files: readonly File[]): Promise<Transferred> {
  const checked = await Promise.all(files.map(async (file) => ({ file, isText: await isText(file) })))
  return {
    sources: checked.flatMap(({ file, isText }) => (isText ? [{ content: file, title: null }] : [])),
    refused: checked.flatMap(({ file, isText }) => (isText ? [] : [file.name])),
  }
}

/** The plain text, or the markup of a copied web page if that has more links. */
function textOf(transfer: DataTransfer): { content: string; title: string | null } {
  const plain = transfer.getData('text/plain')
  const markup = transfer.getData('text/html')
  if (loginKind(plain) !== null) return { content: plain, title: null }
  return { content: textWithMoreLinks(plain, markup), title: titleIn(plain) ?? titleIn(markup) }
}

async function isText(file: File): Promise<boolean> {
  if (file.size > MAX_FILE_BYTES) return false
  const start = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer())
  const isUtf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)
  return isUtf16 || !start.some((byte) => byte < 32 && !TEXT_CONTROLS.includes(byte))
}

/** Tab, line feed, form feed, carriage return and escape. */
const TEXT_CONTROLS = [9, 10, 12, 13, 27]
/** Files of images, videos, documents and archives have control characters near their start. */
const SAMPLE_BYTES = 4_096
/** Far more than a list of links. */
const MAX_FILE_BYTES = 200_000_000
