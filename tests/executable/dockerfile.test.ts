import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTABLE, startHoldall } from '../support/executable.ts'
import { resultOf } from '../support/holdall-command.ts'

const LINES = readFileSync(join(import.meta.dir, '../../server/deploy/Dockerfile'), 'utf8').split('\n')

test('The service accepts the settings of the Dockerfile, and its health check succeeds', async () => {
  await using holdall = await startHoldall()
  const env = { ...settings(), HOLDALL_DATA: holdall.dataDir }
  const [program, ...args] = JSON.parse(/CMD (.*)/.exec(lineOf('HEALTHCHECK'))?.[1] ?? '')
  expect([program, lineOf('ENTRYPOINT'), lineOf('CMD')]).toEqual([
    'holdall',
    'ENTRYPOINT ["holdall"]',
    'CMD ["serve"]',
  ])
  // A setting that does not parse would be refused.
  const check = Bun.spawn([EXECUTABLE, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  expect(await resultOf(check)).toEqual({ exitCode: 0, stdout: 'ok\n', stderr: '' })
  expect(lineOf('VOLUME')).toBe(`VOLUME ${settings().HOLDALL_DATA}`)
  expect(lineOf('EXPOSE').split(' ')[1]).toBe(settings().HOLDALL_LISTEN?.split(':')[1] ?? '')
})

function lineOf(instruction: string): string {
  return LINES.find((line) => line.startsWith(`${instruction} `)) ?? ''
}

function settings(): Record<string, string | undefined> {
  return Object.fromEntries(
    [...lineOf('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
}
