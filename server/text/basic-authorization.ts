/** The value of `Authorization` for a user name and a password, in UTF-8 (RFC 7617 section 2). Runs in browsers, too. */
export function basicAuthorization(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}
