import { childEnvironment } from '../../child-environment.ts'
import type { Environment } from '../../config/config.ts'

/** Opens a page in the browser when a person started the command: from a terminal, on a desktop. */
export function openBrowser(url: string): void {
  if (!process.stdout.isTTY) return
  const command = browserCommand(process.platform, process.env)
  if (command === null) return
  try {
    // Detached: the terminal may close as soon as this command has ended, which ends all that belongs to it.
    Bun.spawn([...command, url], {
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'ignore'],
      detached: true,
    }).unref()
  } catch {
    // The command has printed the address as well.
  }
}

/** The command that opens a page, without its address; null if there is no desktop. */
export function browserCommand(platform: NodeJS.Platform, env: Environment): string[] | null {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null
}
