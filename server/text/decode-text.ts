/**
 * The text of a file that somebody saved, without its byte order mark. It is UTF-8, UTF-16 with a byte order mark, as Windows
 * PowerShell writes it with `>`, or Windows-1252, as older programs of Windows wrote it. The web interface imports this file,
 * which must stay pure.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
