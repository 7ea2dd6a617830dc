import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { type DesktopSession, openDesktopSession } from '../../support/desktop-session.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { startService } from '../../support/service.ts'

describe.if(process.platform === 'linux')('As a user of Linux', () => {
  test('holdall install writes a unit, starts it, and says so; uninstall undoes that', async () => {
    using session = openDesktopSession()
    const installed = await holdall(session, ['install', '--jobs', '2'])
    expect([installed.exitCode, installed.stderr]).toEqual([0, ''])
    const { unit } = session
    expect(installed.stdout.split('\n').slice(0, 4)).toEqual([
      `Wrote ${unit}`,
      'Ran systemctl --user daemon-reload',
      'Ran systemctl --user enable holdall.service',
      'Ran systemctl --user restart holdall.service',
    ])
    const text = readFileSync(unit, 'utf8')
    expect(text).toContain('Environment=HOLDALL_JOBS=2\n')
    expect(text).toContain(`Environment=HOLDALL_DATA=${session.home}/.local/share/holdall\n`)
    expect(statSync(unit).mode & 0o777).toBe(0o600)
    expect((await holdall(session, ['install'])).exitCode).toBe(0)
    expect(readFileSync(unit, 'utf8')).not.toContain('HOLDALL_JOBS')

    const removed = await holdall(session, ['uninstall'])
    expect(removed.stdout).toContain(`Deleted ${unit}\n`)
    expect(existsSync(unit)).toBe(false)
    expect(session.calls().slice(3)).toEqual([
      '--user stop holdall.service',
      '--user disable holdall.service',
      '--user daemon-reload',
      '--user enable holdall.service',
      '--user restart holdall.service',
      '--user stop holdall.service',
      '--user disable holdall.service',
      '--user daemon-reload',
    ])
    expect(await holdall(session, ['uninstall'])).toMatchObject({
      exitCode: 1,
      stderr: `holdall: Holdall is not installed: ${unit} does not exist.\n`,
    })
  })

  test('--dry-run says what would be done, and does nothing', async () => {
    using session = openDesktopSession()
    for (const command of ['install', 'uninstall']) {
      const { exitCode, stdout } = await holdall(session, [command, '--dry-run'])
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Would run: systemctl --user')])
      expect(stdout).toContain(session.unit)
    }
    expect([existsSync(session.unit), session.calls()]).toEqual([false, []])
  })

  test('an archive store comes with its credentials, which --dry-run hides; without them, nothing is installed', async () => {
    using session = openDesktopSession()
    const store = ['--archive-store', 's3://zips', '--archive-store-proxy']
    const refused = await holdall(session, ['install', ...store])
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('AWS_ACCESS_KEY_ID')])
    expect(existsSync(session.unit)).toBe(false)
    const withKeys = {
      ...session,
      env: { ...session.env, AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'very-secret' },
    }
    const shown = await holdall(withKeys, ['install', '--dry-run', ...store])
    expect(shown.stdout).toContain('AWS_SECRET_ACCESS_KEY=...')
    expect(shown.stdout).not.toContain('very-secret')
    expect((await holdall(withKeys, ['install', ...store])).exitCode).toBe(0)
    const text = readFileSync(session.unit, 'utf8')
    expect(text).toContain('Environment=AWS_SECRET_ACCESS_KEY=very-secret\n')
    expect(statSync(session.unit).mode & 0o777).toBe(0o600)
  })

  test('an install that fails leaves nothing and gives the reason', async () => {
    using session = openDesktopSession()
    session.refuse('Failed to connect to bus')
    const { exitCode, stderr } = await holdall(session, ['install'])
    expect([exitCode, stderr]).toEqual([
      1,
      'holdall: systemctl --user daemon-reload failed: Failed to connect to bus\n',
    ])
    expect(existsSync(session.unit)).toBe(false)
  })

  test('install refuses a data directory on which a service runs that was started by hand', async () => {
    using session = openDesktopSession()
    await using service = await startService()
    const { exitCode, stderr } = await holdall(session, ['install', '--data', service.dataDir])
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Stop it, then install it.')])
    expect(session.calls()).toEqual([])
  })
})

/** Runs a command as the user of a session. */
function holdall({ env, under }: DesktopSession, args: readonly string[]) {
  return runCommand(args, { env, under })
}
