/** Opens a page where a person sits in front of it: on a desktop session, started from a terminal. */
export function openBrowser(url: string): void {
  if (!process.stdout.isTTY) return
  const command = opener()
  if (command === null) return
  try {
    Bun.spawn([...command, url], { stdio: ['ignore', 'ignore', 'ignore'] }).unref()
  } catch {
    // The address is on the terminal as well.
  }
}

function opener(): string[] | null {
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : null
}
