/** Whether a link leads to the computer on which it is opened, so that nobody else can open it. */
export function isLocalLink(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(host)
}
