import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../support/holdall-command.ts'
import { startService } from '../support/service.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

describe.if(process.platform === 'linux')('As a user of Linux', () => {
  test('holdall install writes a unit, starts it, and says so; uninstall undoes that', async () => {
    using dir = tempDir()
    const installed = await holdall(dir, ['install', '--jobs', '2'])
    expect([installed.exitCode, installed.stderr]).toEqual([0, ''])
    const unit = dir.file('.config/systemd/user/holdall.service')
    expect(installed.stdout.split('\n').slice(0, 4)).toEqual([
      `Wrote ${unit}`,
      'Ran systemctl --user daemon-reload',
      'Ran systemctl --user enable holdall.service',
      'Ran systemctl --user restart holdall.service',
    ])
    const text = readFileSync(unit, 'utf8')
    expect(text).toContain('Environment=HOLDALL_JOBS=2\n')
    expect(text).toContain(`Environment=HOLDALL_DATA=${dir.file('.local/share/holdall')}\n`)
    expect(statSync(unit).mode & 0o777).toBe(0o600)
    expect((await holdall(dir, ['install'])).exitCode).toBe(0)
    expect(readFileSync(unit, 'utf8')).not.toContain('HOLDALL_JOBS')

    const removed = await holdall(dir, ['uninstall'])
    expect(removed.stdout).toContain(`Deleted ${unit}\n`)
    expect(existsSync(unit)).toBe(false)
    expect(calls(dir).slice(3)).toEqual([
      '--user disable --now holdall.service',
      '--user daemon-reload',
      '--user enable holdall.service',
      '--user restart holdall.service',
      '--user disable --now holdall.service',
      '--user daemon-reload',
    ])
    expect(await holdall(dir, ['uninstall'])).toMatchObject({
      exitCode: 1,
      stderr: `holdall: Holdall is not installed: ${unit} does not exist.\n`,
    })
  })

  test('--dry-run says what would be done, and does nothing', async () => {
    using dir = tempDir()
    for (const command of ['install', 'uninstall']) {
      const { exitCode, stdout } = await holdall(dir, [command, '--dry-run'])
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Would run: systemctl --user')])
      expect(stdout).toContain(dir.file('.config/systemd/user/holdall.service'))
    }
    expect([existsSync(dir.file('.config')), calls(dir)]).toEqual([false, []])
  })

  test('an install that fails leaves nothing and gives the reason', async () => {
    using dir = tempDir()
    const failure = 'echo Failed to connect to bus >&2; exit 1'
    const { exitCode, stderr } = await holdall(dir, ['install'], failure)
    expect([exitCode, stderr]).toEqual([
      1,
      'holdall: systemctl --user daemon-reload failed: Failed to connect to bus\n',
    ])
    expect(existsSync(dir.file('.config/systemd/user/holdall.service'))).toBe(false)
  })

  test('install refuses a data directory on which a service runs that was started by hand', async () => {
    using dir = tempDir()
    await using service = await startService()
    const { exitCode, stderr } = await holdall(dir, ['install', '--data', service.dataDir])
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Stop it, then install it.')])
    expect(calls(dir)).toEqual([])
  })
})

/** Runs a command as a user other than root, with a `systemctl` that records its calls: the machine may run no systemd. */
function holdall(dir: TempDir, args: readonly string[], then = '') {
  mkdirSync(dir.file('bin'), { recursive: true })
  const path = dir.file('bin/systemctl')
  writeFileSync(path, `#!/bin/sh\necho "$*" >> '${dir.file('calls')}'\n${then}\n`)
  chmodSync(path, 0o755)
  const env = { HOME: dir.path, PATH: `${join(dir.path, 'bin')}:${process.env.PATH}` }
  return runCommand(args, { env, under: ['unshare', '--user'] })
}

function calls(dir: TempDir): string[] {
  const path = dir.file('calls')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
}
