import type { Recognised } from '../links/link.ts'
import { recogniseLinks } from '../links/recognise-links.ts'
import type { ReadPart } from './read-links.ts'

addEventListener('message', async ({ data }: MessageEvent<string | Blob>) => {
  const text = typeof data === 'string' ? data : decode(await data.arrayBuffer())
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

/** Text files are UTF-8, UTF-16 with a byte order mark, or what Windows programs wrote before. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength))
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The page takes a part in a few milliseconds. */
const PART_ITEMS = 2_000
const PART_CHARACTERS = 1_000_000
