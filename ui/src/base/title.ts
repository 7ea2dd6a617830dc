/** Names the page in the tab. */
export function setTitle(title: string): void {
  document.title = `${title} · Holdall`
}
