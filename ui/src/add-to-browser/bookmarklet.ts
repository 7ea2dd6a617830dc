/** The address of a bookmark that opens Holdall with the links of a page, or with those in the selection. */
export function bookmarklet(origin: string): string {
  return `javascript:${encodeURIComponent(`(${sendLinks.toString()})(${JSON.stringify(origin)})`)}`
}

/** Runs in other pages, so it uses nothing from outside itself. */
function sendLinks(origin: string): void {
  const selection = getSelection()
  const isWanted = (link: Node) => !selection || selection.isCollapsed || selection.containsNode(link, true)
  const urls = [...document.links].filter(isWanted).map(({ href }) => href)
  const [title, list] = [document.title, [...new Set(urls)].join('\n')].map(encodeURIComponent)
  open(`${origin}/#title=${title}&urls=${list}`, '_blank', 'noopener')
}
