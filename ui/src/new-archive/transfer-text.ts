/** More than a list of 5,000 links needs. A larger file, such as a video dropped by mistake, would freeze the page. */
const MAX_FILE_BYTES = 48 * 1024 * 1024

/** Returns what was dropped as text for the link box. Accepts text and HTML files, links, and parts of web pages. */
export async function dropText(transfer: DataTransfer): Promise<string> {
  const files = [...transfer.files].filter((file) => file.size <= MAX_FILE_BYTES)
  if (transfer.files.length > 0) {
    const texts = await Promise.all(files.map((file) => file.text()))
    return texts.map((text) => documentText(text)).join('\n')
  }
  return pasteText(transfer) ?? transfer.getData('text/plain')
}

/**
 * Returns the links of pasted HTML source, or of a pasted part of a web page whose plain text contains no links; null
 * for any other text, which is pasted as it is.
 */
export function pasteText(transfer: DataTransfer): string | null {
  const plain = transfer.getData('text/plain')
  if (isHtml(plain)) return linksInHtml(plain).join('\n')
  if (/https?:\/\//i.test(plain)) return null
  const links = linksInHtml(transfer.getData('text/html'))
  return links.length === 0 ? null : links.join('\n')
}

function documentText(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').replace(/^\uFEFF/, '')
  return isHtml(plain) ? linksInHtml(plain).join('\n') : plain.trim()
}

function isHtml(text: string): boolean {
  return /<(?:!doctype html|html|body|a\s[^>]*href|img\s[^>]*src)\b/i.test(text)
}

/** Returns the absolute links of an HTML document without duplicates. Parsing it loads and runs nothing. */
function linksInHtml(html: string): string[] {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const links = [...page.querySelectorAll('[href], [src]')].map(
    (element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '',
  )
  return [...new Set(links.filter((link) => /^https?:\/\//i.test(link)))]
}
