/** Host and port as in a URL: an IPv6 address in brackets. */
export function formatHostPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
