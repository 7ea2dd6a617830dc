import { decodeText } from '../../../server/text/decode-text.ts'
import { titleIn } from '../links/find-title.ts'
import type { Recognised } from '../links/link.ts'
import { recogniseLinks } from '../links/recognise-links.ts'
import { isMail } from './is-mail.ts'
import type { ReadPart } from './read-links.ts'

addEventListener('message', async ({ data }: MessageEvent<string | Blob>) => {
  const { text, title } =
    typeof data === 'string' ? { text: data, title: titleIn(data) } : await readFile(data)
  const send = (part: ReadPart) => postMessage(part)
  let items: Recognised[] = []
  let sent = 0
  for (const step of recogniseLinks(text)) {
    items.push(...step.items)
    if (items.length < PART_ITEMS && step.read - sent < PART_CHARACTERS) continue
    send({ items, title: null, fraction: step.read / text.length, isLast: false })
    items = []
    sent = step.read
  }
  send({ items, title, fraction: 1, isLast: true })
})

async function readFile(file: Blob): Promise<{ text: string; title: string | null }> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = decodeText(bytes)
  if (!isMail(text.slice(0, HEADER_CHARACTERS))) return { text, title: titleIn(text) }
  const mail = await (await import('./read-mail.ts')).readMail(bytes)
  return { text: mail.text, title: mail.subject }
}

/** The page adds a part of this length in a few milliseconds. */
const PART_ITEMS = 2_000
const PART_CHARACTERS = 1_000_000
/** The header fields of an e-mail are shorter. */
const HEADER_CHARACTERS = 20_000
