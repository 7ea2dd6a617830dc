import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tempDir } from './temp-dir.ts'

/**
 * What a program finds that a user of Linux starts after a login. Its `systemctl` records its calls and does nothing, since a
 * machine that runs tests may have no systemd.
 */
export interface DesktopSession extends Disposable {
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** A command that starts a program as a user other than root. */
  readonly under: readonly string[]
  /** The unit that starts Holdall at a login. */
  readonly unit: string
  /** The arguments of each call of `systemctl`. */
  calls(): string[]
  /** From now on, `systemctl` prints this and fails; with null, it no longer does. */
  refuse(reason: string | null): void
}

export function openDesktopSession(): DesktopSession {
  const dir = tempDir()
  const calls = dir.file('calls')
  const systemctl = dir.file('bin/systemctl')
  const refuse = (reason: string | null) => {
    const end = reason === null ? '' : `echo '${reason}' >&2; exit 1\n`
    writeFileSync(systemctl, `#!/bin/sh\necho "$*" >> '${calls}'\n${end}`)
    chmodSync(systemctl, 0o755)
  }
  for (const path of ['bin', 'run/systemd']) mkdirSync(dir.file(path), { recursive: true })
  // The socket of the user's service manager.
  writeFileSync(dir.file('run/systemd/private'), '')
  refuse(null)
  return {
    home: dir.path,
    env: {
      HOME: dir.path,
      PATH: `${dir.file('bin')}:${process.env.PATH}`,
      XDG_RUNTIME_DIR: dir.file('run'),
    },
    under: ['unshare', '--user'],
    unit: dir.file('.config/systemd/user/holdall.service'),
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
    refuse,
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  }
}
