import { decodeText } from '../../../server/text/decode-text.ts'
import type { Recognised } from '../links/link.ts'
import { recogniseLinks } from '../links/recognise-links.ts'
import type { ReadPart } from './read-links.ts'

addEventListener('message', async ({ data }: MessageEvent<string | Blob>) => {
  const text = typeof data === 'string' ? data : decodeText(new Uint8Array(await data.arrayBuffer()))
  const send = (part: ReadPart) => postMessage(part)
  let items: Recognised[] = []
  let sent = 0
  for (const step of recogniseLinks(text)) {
    items.push(...step.items)
    if (items.length < PART_ITEMS && step.read - sent < PART_CHARACTERS) continue
    send({ items, fraction: step.read / text.length, isLast: false })
    items = []
    sent = step.read
  }
  send({ items, fraction: 1, isLast: true })
})

/** The page takes a part in a few milliseconds. */
const PART_ITEMS = 2_000
const PART_CHARACTERS = 1_000_000
