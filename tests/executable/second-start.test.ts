import { expect, test } from 'bun:test'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { signIn } from '../support/client.ts'
import { EXECUTABLE, startHoldall } from '../support/executable.ts'
import { resultOf } from '../support/holdall-command.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

test('On a desktop, a second start opens the running service in the browser, signed in until the owner has signed in', async () => {
  await using holdall = await startHoldall()
  using dir = tempDir()
  const first = await secondStart(holdall.dataDir, dir.path)
  const link = /^Sign in once, within 30 minutes: (\S+)$/m.exec(first.stdout)?.[1] ?? ''
  expect(first.stdout).toContain(`Holdall already runs on this data directory: ${holdall.address}`)
  expect([first.exitCode, first.opened]).toEqual([0, [link]])
  expect((await (await signIn(link)).request('GET', '/me')).status).toBe(200)
  const later = await secondStart(holdall.dataDir, dir.path)
  expect([later.exitCode, later.opened]).toEqual([0, [link, holdall.address]])
  expect(later.stdout).not.toContain('/sign-in#')
})

/** Starts the executable on a terminal of a desktop whose browser records the addresses that it opens. */
async function secondStart(dataDir: string, dir: string) {
  const opened = `${dir}/opened`
  writeFileSync(`${dir}/xdg-open`, `#!/bin/sh\necho "$1" >> '${opened}'\n`)
  chmodSync(`${dir}/xdg-open`, 0o755)
  const before = addressesIn(opened).length
  const child = Bun.spawn(['script', '-qec', `'${EXECUTABLE}' --data '${dataDir}'`, '/dev/null'], {
    env: { PATH: `${dir}:${process.env.PATH}`, DISPLAY: ':0', HOME: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, exitCode } = await resultOf(child)
  await until('the browser has opened an address', () => addressesIn(opened).length > before)
  return { stdout: stdout.replaceAll('\r', ''), exitCode, opened: addressesIn(opened) }
}

function addressesIn(path: string): string[] {
  try {
    // The shell creates the file before it writes to it.
    return readFileSync(path, 'utf8').split('\n').slice(0, -1)
  } catch {
    return []
  }
}
