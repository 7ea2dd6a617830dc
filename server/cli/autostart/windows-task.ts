import { win32 } from 'node:path'
import { SETTINGS } from '../../config/config.ts'
import type { Autostart, InstallTarget } from './autostart.ts'

/**
 * Starts the service when the user logs in: a task of the Task Scheduler. `conhost --headless` runs a program of the console
 * without its window. Settings are arguments, since a task has no environment of its own.
 */
export function windowsTask({ env, home, program, settings }: InstallTarget): Autostart {
  const localData = env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local')
  const path = win32.join(localData, 'holdall', 'task.xml')
  const words = ['--headless', ...program, 'serve', '--no-open', ...flagsOf(settings)]
  const user = [env.USERDOMAIN, env.USERNAME].filter(Boolean).join('\\')
  return {
    when: 'when you log in',
    path,
    // Without these settings, the Task Scheduler ends a task after three days, and on battery power.
    text: `<?xml version="1.0"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers><LogonTrigger><UserId>${Bun.escapeHTML(user)}</UserId></LogonTrigger></Triggers>
  <Principals><Principal id="Author"><UserId>${Bun.escapeHTML(user)}</UserId><LogonType>InteractiveToken</LogonType></Principal></Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>10</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author"><Exec><Command>conhost.exe</Command><Arguments>${Bun.escapeHTML(
    words.map(quoted).join(' '),
  )}</Arguments></Exec></Actions>
</Task>
`,
    mode: 0o600,
    register: [['schtasks', '/Create', '/TN', TASK, '/XML', path, '/F']],
    start: [['schtasks', '/Run', '/TN', TASK]],
    stop: [['schtasks', '/End', '/TN', TASK]],
    unregister: [['schtasks', '/Delete', '/TN', TASK, '/F']],
    afterRemoval: [],
  }
}

function flagsOf(settings: Readonly<Record<string, string>>): string[] {
  return Object.values(SETTINGS).flatMap((setting) => {
    const text = settings[setting.env]
    if (text === undefined) return []
    const values = 'repeatable' in setting ? text.split(',') : [text]
    return values.flatMap((value) => [`--${setting.flag}`, value])
  })
}

/** The rules by which programs for Windows parse their command line ("Parsing C command-line arguments"). */
function quoted(word: string): string {
  if (/^[^\s"]+$/.test(word)) return word
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`
}

const TASK = 'Holdall'
