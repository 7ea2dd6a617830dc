/** More than any list of 5,000 links needs; a film dropped by mistake would freeze the page. */
const MAX_FILE_BYTES = 48 * 1024 * 1024

/** What was dropped, as text for the box of links: files of text or HTML, a link, or a piece of a page. */
export async function textOfTransfer(transfer: DataTransfer): Promise<string> {
  const files = [...transfer.files].filter((file) => file.size <= MAX_FILE_BYTES)
  if (transfer.files.length > 0) {
    const texts = await Promise.all(files.map((file) => file.text()))
    return texts.map((text) => textOfDocument(text)).join('\n')
  }
  return textOfPaste(transfer) ?? transfer.getData('text/plain')
}

/**
 * What a paste without files holds that its plain text doesn't tell: the links of a part of a web page, or of HTML
 * source; null for all other text.
 */
export function textOfPaste(transfer: DataTransfer): string | null {
  const plain = transfer.getData('text/plain')
  if (isHtml(plain)) return linksOfHtml(plain).join('\n')
  if (/https?:\/\//i.test(plain)) return null
  const links = linksOfHtml(transfer.getData('text/html'))
  return links.length === 0 ? null : links.join('\n')
}

function textOfDocument(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').replace(/^\uFEFF/, '')
  return isHtml(plain) ? linksOfHtml(plain).join('\n') : plain.trim()
}

function isHtml(text: string): boolean {
  return /<(?:!doctype html|html|body|a\s[^>]*href|img\s[^>]*src)\b/i.test(text)
}

/** The absolute links of a page, each once; nothing of it is loaded or run. */
function linksOfHtml(html: string): string[] {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const links = [...page.querySelectorAll('[href], [src]')].map(
    (element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '',
  )
  return [...new Set(links.filter((link) => /^https?:\/\//i.test(link)))]
}
