import { expect, test } from 'bun:test'
import { copyFileSync, readFileSync } from 'node:fs'
import { EXECUTABLE, startHoldall } from '../support/executable.ts'
import { resultOf } from '../support/holdall-command.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'

const OPTION = /^(BUN_JSC|BUN_GC|MIMALLOC)_/
const OPTION_COUNT = 11

test('The service runs with the options of its runtime, as the process that was started', async () => {
  await using holdall = await startHoldall()
  const environment = readFileSync(`/proc/${holdall.pid}/environ`, 'utf8')
  expect(environment.split('\0').filter((variable) => OPTION.test(variable))).toHaveLength(OPTION_COUNT)
  expect(await holdall.stop()).toBe(0)
})

test('An option that the user has set stays as it is, and the others are added', async () => {
  await using holdall = await startHoldall({ env: { MIMALLOC_PURGE_DELAY: '50' } })
  const environment = readFileSync(`/proc/${holdall.pid}/environ`, 'utf8').split('\0')
  const options = environment.filter((variable) => OPTION.test(variable))
  expect(options).toHaveLength(OPTION_COUNT)
  expect(options).toContain('MIMALLOC_PURGE_DELAY=50')
  expect(await holdall.stop()).toBe(0)
})

test('Where the process can’t be replaced, archives are packed without the options', async () => {
  await using origin = await startOrigin()
  using dir = tempDir()
  // The executable is started from an open file, and has no path any more.
  copyFileSync(EXECUTABLE, dir.file('holdall'))
  const script = 'exec 9< holdall && rm holdall && exec /proc/self/fd/9 "$@"'
  const zip = [
    'zip',
    '-o',
    'all.zip',
    '--allow-network',
    '127.0.0.0/8',
    origin.url('/bytes/300000/a.bin?seed=5'),
  ]
  const child = Bun.spawn(['bash', '-c', script, 'bash', ...zip], {
    cwd: dir.path,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { exitCode, stderr } = await resultOf(child)
  expect(exitCode).toBe(0)
  // On a busy machine, lines of the progress are before it.
  expect(stderr).toEndWith('1 file, 300.14 KB\n')
  const entry = { name: 'a.bin', sizeBytes: 300_000, sha256: expectedSha256(300_000, 5) }
  await expectReadable(dir.file('all.zip'), [entry])
})
