/**
 * The `Content-Disposition` that makes a client save a download as `filename` (RFC 6266): the name in ASCII for old
 * clients, and the whole name in the encoding of RFC 8187.
 */
export function attachment(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(filename)}`
}

/** Also encodes what `encodeURIComponent` leaves as it is and RFC 8187, section 3.2.1, does not allow. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
