/**
 * A `Content-Disposition` that saves a download under `filename` (RFC 6266): an ASCII form for old clients and, where
 * that says less, the name itself in the encoding of RFC 8187.
 */
export function attachment(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(filename)}`
}

/** RFC 8187, section 3.2.1: what `encodeURIComponent` leaves alone and is no `attr-char`. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
