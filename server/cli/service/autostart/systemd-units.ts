import { join } from 'node:path'
import systemUnit from '../../../deploy/holdall.service' with { type: 'text' }
import { CommandError, UsageError } from '../../command.ts'
import type { Autostart, InstallTarget } from './autostart.ts'

/** Starts the service at boot, as `/docs` describes it for servers. */
export function systemdSystemUnit({ program, settings }: InstallTarget): Autostart {
  const [setting] = Object.keys(settings)
  if (setting !== undefined) {
    throw new UsageError(
      `${setting}: the system service has its settings in /etc/holdall.env, one VARIABLE=VALUE per line.`,
    )
  }
  const hidden = program.find((path) => HIDDEN_FROM_UNIT.test(path))
  if (hidden !== undefined) {
    throw new CommandError(
      `The system service cannot read ${hidden}. Copy it, for example with: install holdall /usr/local/bin/`,
    )
  }
  return {
    when: 'when the machine starts',
    path: join('/etc/systemd/system', UNIT),
    text: systemUnit
      .replace(/^# .*\n\n/, '')
      .replace(/^ExecStart=.*$/m, () => `ExecStart=${commandLine(program)}`),
    mode: 0o644,
    ...commands(['systemctl']),
  }
}

/** Starts the service when the user logs in. */
export function systemdUserUnit({ env, home, program, settings }: InstallTarget): Autostart {
  const variables = Object.entries(settings).map(
    ([name, value]) => `Environment=${quoted(`${name}=${value}`)}`,
  )
  return {
    when: 'when you log in',
    path: join(env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd/user', UNIT),
    text: [
      '[Unit]',
      'Description=Holdall packs lists of URLs into ZIP files',
      '',
      '[Service]',
      'Type=notify',
      `ExecStart=${commandLine(program)}`,
      ...variables,
      'TimeoutStartSec=10min',
      'TimeoutStopSec=15s',
      'WatchdogSec=30s',
      'Restart=on-failure',
      'RestartPreventExitStatus=2',
      '',
      '[Install]',
      'WantedBy=default.target',
      '',
    ].join('\n'),
    mode: 0o600,
    ...commands(['systemctl', '--user']),
  }
}

function commands(systemctl: readonly string[]) {
  return {
    register: [
      [...systemctl, 'daemon-reload'],
      [...systemctl, 'enable', UNIT],
    ],
    // A service that already runs must run with the new unit.
    start: [[...systemctl, 'restart', UNIT]],
    stop: [[...systemctl, 'stop', UNIT]],
    unregister: [[...systemctl, 'disable', UNIT]],
    afterRemoval: [[...systemctl, 'daemon-reload']],
  }
}

/** systemd.service(5): variables are expanded in all words but the first. */
function commandLine([first = '', ...others]: readonly string[]): string {
  if (/["'\\\n]/.test(first)) {
    throw new CommandError(
      `systemd starts no program whose path has quotes or backslashes, as ${first} has. Move it, then try again.`,
    )
  }
  const words = [...others, 'serve', '--no-open'].map((word) => quoted(word.replaceAll('$', '$$$$')))
  return [quoted(first), ...words].join(' ')
}

/** systemd.syntax(7), "Quoting", and systemd.unit(5), "Specifiers". */
function quoted(word: string): string {
  if (/^[\w./=:,@+-]+$/.test(word)) return word
  const escaped = word.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('%', '%%')
  return `"${escaped}"`
}

const UNIT = 'holdall.service'

/** By `ProtectHome` and `PrivateTmp`. */
const HIDDEN_FROM_UNIT = /^\/(?:home|root|run\/user|tmp|var\/tmp)\//
