import { decodeText } from '../../text/decode-text.ts'

/**
 * The text of a page, in the encoding that it says (HTML Standard, section 13.2.3.1): by its byte order mark, its header, or its
 * beginning. A page that says nothing is UTF-8, if it can be, or else Windows-1252.
 */
export function decodePage(bytes: Uint8Array, contentType: string | null): string {
  const declared = hasByteOrderMark(bytes) ? null : (declaredIn(contentType) ?? declaredBy(bytes))
  const decoder = declared === null ? null : decoderOf(declared)
  return decoder === null ? decodeText(bytes) : decoder.decode(bytes)
}

function hasByteOrderMark([first, second, third]: Uint8Array): boolean {
  if (first === 0xef) return second === 0xbb && third === 0xbf
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

function declaredIn(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '')?.[1] ?? null
}

function declaredBy(bytes: Uint8Array): string | null {
  const beginning = Buffer.from(bytes.subarray(0, BEGINNING_BYTES)).toString('latin1')
  const inXml = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(beginning)?.[1]
  const label = inXml ?? /<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(beginning)?.[1] ?? null
  // What could be read so far is no UTF-16.
  return label !== null && /^utf-?16/i.test(label) ? 'utf-8' : label
}

/** Null for an encoding that is not known. */
function decoderOf(label: string): { decode(bytes: Uint8Array): string } | null {
  try {
    return Reflect.construct(TextDecoder, [label])
  } catch {
    return null
  }
}

const BEGINNING_BYTES = 4096
