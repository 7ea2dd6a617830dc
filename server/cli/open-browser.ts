/** Opens a page in the browser when a person started the command: from a terminal, on a desktop. */
export function openBrowser(url: string): void {
  if (!process.stdout.isTTY) return
  const command = openCommand()
  if (command === null) return
  try {
    Bun.spawn([...command, url], { stdio: ['ignore', 'ignore', 'ignore'] }).unref()
  } catch {
    // The command has printed the address as well.
  }
}

function openCommand(): string[] | null {
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : null
}
