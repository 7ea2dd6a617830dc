import { join } from 'node:path'
import type { Autostart, InstallTarget } from './autostart.ts'

/** Starts the service when the user logs in (launchd.plist(5)). */
export function launchdAgent({ home, program, settings, userId }: InstallTarget): Autostart {
  const path = join(home, 'Library/LaunchAgents', `${LABEL}.plist`)
  const domain = `gui/${userId}`
  const log = join(home, 'Library/Logs/holdall.log')
  return {
    when: 'when you log in',
    path,
    text: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  ${string(LABEL)}
  <key>ProgramArguments</key>
  <array>${[...program, 'serve', '--no-open'].map(string).join('')}</array>
  <key>EnvironmentVariables</key>
  <dict>${Object.entries(settings)
    .map(([name, value]) => `<key>${Bun.escapeHTML(name)}</key>${string(value)}`)
    .join('')}</dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict><key>SuccessfulExit</key><false/></dict>
  <key>StandardOutPath</key>
  ${string(log)}
  <key>StandardErrorPath</key>
  ${string(log)}
  <key>Umask</key>
  <integer>63</integer>
</dict>
</plist>
`,
    mode: 0o600,
    // At a login, the system reads all files of the directory.
    register: [],
    start: [['launchctl', 'bootstrap', domain, path]],
    stop: [['launchctl', 'bootout', `${domain}/${LABEL}`]],
    unregister: [],
    afterRemoval: [],
  }
}

function string(text: string): string {
  return `<string>${Bun.escapeHTML(text)}</string>`
}

const LABEL = 'holdall'
