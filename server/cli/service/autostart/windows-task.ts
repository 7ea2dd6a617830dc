import { win32 } from 'node:path'
import { SETTINGS } from '../../../config/config.ts'
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
    ...('AWS_SECRET_ACCESS_KEY' in settings ? { remark: NO_VARIABLES } : {}),
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
    if (setting.value === null) return setting.schema.parse(text) ? [`--${setting.flag}`] : []
    const values = 'repeatable' in setting ? text.split(',') : [text]
    // As one word, since a value may begin with a hyphen.
    return values.map((value) => `--${setting.flag}=${value}`)
  })
}

/** The rules by which programs for Windows parse their command line ("Parsing C command-line arguments"). */
function quoted(word: string): string {
  if (/^[^\s"]+$/.test(word)) return word
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`
}

const NO_VARIABLES =
  'A task has no variables of its own: set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the others that you use for your account, as with setx.'

const TASK = 'Holdall'
