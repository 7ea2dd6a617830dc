import type { Recognised } from './link.ts'
import { isNameLike } from './link-name.ts'
import { recognisedIn } from './recognise-links.ts'

/** Writes items as text, one per line, so that recognising the text gives the same links and names again. */
export function linksAsText(items: readonly Recognised[]): string {
  return items.map(lineOf).join('\n')
}

function lineOf(item: Recognised): string {
  if (item.kind !== 'link') return item.text
  const url = isPlain(item.url) ? item.url : `<${item.url}>`
  return item.filename === null ? url : `${url}\t${nameField(item.filename)}`
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
