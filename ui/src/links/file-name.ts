/** Whether a text is a file name with an extension, and not a host, a size or a version. */
export function looksLikeFileName(text: string, url = ''): boolean {
  const extension = /^[^\t\n]{0,240}[^\s.]\.([a-z\d]{1,8})$/i.exec(text)?.[1]
  if (extension === undefined || !/[a-z]/i.test(extension) || text.includes('://')) return false
  if (text === URL.parse(url)?.host || text.startsWith('www.')) return false
  return text.includes(' ') || !HOST_ENDINGS.has(extension.toLowerCase())
}

/** What follows the last slash of a URL. */
export function lastSegment(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

/** A text such as `example.org` is more often a site than a file. */
const HOST_ENDINGS = new Set([
  'com',
  'org',
  'net',
  'edu',
  'gov',
  'io',
  'dev',
  'app',
  'test',
  'de',
  'uk',
  'fr',
  'eu',
])
