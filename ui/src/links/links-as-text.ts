import type { Recognised } from './link.ts'
import { isNameLike } from './link-name.ts'
import { recognisedIn } from './recognise-links.ts'
import { wrappedLink } from './wrapped-link.ts'

/** Writes items as text, one per line, so that recognising the text gives the same links and names again. */
export function linksAsText(items: readonly Recognised[]): string {
  return items.map((item, index) => lineOf(item, items[index + 1])).join('\n')
}

function lineOf(item: Recognised, next: Recognised | undefined): string {
  if (item.kind !== 'link') return item.text
  const isWhole = isPlain(item.url) && !isContinuedBy(item.url, next)
  const url = isWhole ? item.url : `<${item.url}>`
  return item.filename === null ? url : `${url}\t${nameField(item.filename)}`
}

/** Whether the text on the next line would look like the rest of a URL without brackets, which an e-mail program has broken. */
function isContinuedBy(url: string, next: Recognised | undefined): boolean {
  return next?.kind === 'text' && wrappedLink(`${url}\n${next.text}`, 0, url.length, url.length) !== null
}

/** Whether a URL is recognised as a whole without brackets around it. */
function isPlain(url: string): boolean {
  if (/^https?:\/\/[\w./%?=&#:~+@-]*[\w/=&#%+~@-]$/i.test(url) && url.lastIndexOf('://') < 6) return true
  // Several URLs with commas may look like a table.
  if (/[,;]/.test(url)) return false
  const [only, ...others] = recognisedIn(url)
  return only?.kind === 'link' && only.url === url && others.length === 0
}

function nameField(name: string): string {
  return isNameLike(name) && !/^"|"$/.test(name) ? name : `"${name.replace(/"/g, '""')}"`
}
