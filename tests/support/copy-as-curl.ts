/** A request that a browser has sent. */
export interface BrowserRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** What Chromium's "Copy as cURL (bash)" gives for a GET request: cookies by `-b`, the other headers by `-H`. */
export function copyAsCurlForBash({ url, headers }: BrowserRequest): string {
  return command(url, headers, bashArgument, ' \\\n  ')
}

/** The same for "Copy as cURL (cmd)". */
export function copyAsCurlForCmd({ url, headers }: BrowserRequest): string {
  return command(url, headers, cmdArgument, ' ^\r\n  ')
}

function command(
  url: string,
  headers: BrowserRequest['headers'],
  argument: (text: string) => string,
  separator: string,
): string {
  const options = Object.entries(headers).map(([name, value]) =>
    name.toLowerCase() === 'cookie' ? `-b ${argument(value)}` : `-H ${argument(`${name}: ${value}`)}`,
  )
  return [`curl ${argument(url)}`, ...options].join(separator)
}

/** In single quotes; with other characters than printable ASCII, or with quotes, in `$'...'`. */
function bashArgument(text: string): string {
  if (!/[^ -~]|['!]/.test(text)) return `'${text}'`
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replace(/'/g, "\\'")
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/[^ -~]|!/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `$'${escaped}'`
}

function cmdArgument(text: string): string {
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"')
    .replace(/[^a-zA-Z0-9\s_\-:=+~'/.,?;()*`]/g, '^$&')
    .replace(/%(?=[a-zA-Z0-9_])/g, '%^')
    .replace(/\r?\n/g, '^\n\n')
  return `^"${escaped}^"`
}
