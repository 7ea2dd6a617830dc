/**
 * The text of a header value from fetch, which has one character per byte. Servers send UTF-8, or Latin-1 as in older HTTP. Bytes that
 * are valid UTF-8 are almost certainly UTF-8.
 * @returns null for bytes that are not UTF-8
 */
export function utf8HeaderText(value: string): string | null {
  // Most values are ASCII, which needs no decoding.
  return /^[\0-\x7f]*$/.test(value) ? value : utf8Text(Buffer.from(value, 'latin1'))
}

/** Null for bytes that are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | null {
  return decodedText(bytes, 'utf-8')
}

/** Null for bytes that are invalid in this charset, and for an unknown charset. */
export function decodedText(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset as Bun.Encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
