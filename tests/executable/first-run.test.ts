import { expect, test } from 'bun:test'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientOf, signIn, signInOwner } from '../support/client.ts'
import { connectTo } from '../support/connection.ts'
import { startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { until } from '../support/until.ts'

test('The first start prints the address and a sign-in link, which gives the browser its own key', async () => {
  await using holdall = await startHoldall()
  const link = await holdall.signInLink()
  expect(link).toStartWith(`${holdall.address}/sign-in#`)
  const client = await signIn(link)
  expect(client.key).toStartWith('hold_')
  expect((await client.request('GET', '/me')).status).toBe(200)
})

test('Every start prints a sign-in link until the owner has signed in, and the key works after a restart', async () => {
  await using holdall = await startHoldall()
  const first = await holdall.signInLink()
  await holdall.restart()
  const second = await holdall.signInLink()
  expect(second).not.toBe(first)
  const { key } = await signIn(second)
  await holdall.restart()
  expect((await clientOf(() => holdall.address, key).request('GET', '/me')).status).toBe(200)
  await holdall.stop()
  expect(holdall.output()).not.toContain('/sign-in#')
})

test('The data directory and everything in it is readable only by its owner', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const report = origin.url('/files/report.pdf')
  const done = await client.createJob({ urls: [report] })
  await client.untilEnded(done)
  const growing = await client.createJob({ urls: [report, origin.url('/bytes/3000000?stall_at=2000000')] })
  await client.until(growing, ({ file_count }) => file_count === 1)

  expect(modeOf(holdall.dataDir)).toBe(0o700)
  const inside = readdirSync(holdall.dataDir, { recursive: true, withFileTypes: true })
  expect(inside.map(({ name }) => name)).toEqual(
    expect.arrayContaining([`${done}.zip`, `${growing}.zip.part`]),
  )
  for (const entry of inside) {
    const mode = modeOf(join(entry.parentPath, entry.name))
    expect([entry.name, mode]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600])
  }
})

test('Files in the working directory do not change its behaviour', async () => {
  await using holdall = await startHoldall({
    prepare(startDir) {
      writeFileSync(join(startDir, '.env'), 'HOLDALL_JOBS=none\nHOLDALL_BASE_URL=http://elsewhere.example\n')
      writeFileSync(join(startDir, 'bunfig.toml'), 'preload = ["./preload.ts"]\n')
      writeFileSync(join(startDir, 'preload.ts'), 'console.log("preloaded")\nprocess.exit(3)\n')
    },
  })
  expect(await holdall.signInLink()).toStartWith('http://127.0.0.1:')
  expect(holdall.output()).not.toContain('preloaded')
})

test('It creates no files in the working directory', async () => {
  let startDir = ''
  await using holdall = await startHoldall({
    prepare(path) {
      startDir = path
    },
  })
  await signIn(await holdall.signInLink())
  expect(readdirSync(startDir)).toEqual([])
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it with exit code 0', async (signal) => {
  await using holdall = await startHoldall()
  process.kill(holdall.pid, signal)
  expect(await holdall.exited()).toBe(0)
})

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)(
  'A second %s ends it at once, even during a download',
  async (signal, exitCode) => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall()
    const client = await signInOwner(holdall)
    const job = await client.untilEnded(
      await client.createJob({ urls: [origin.url('/bytes/33554432/large.bin')] }),
    )
    using connection = await connectTo(holdall.address)
    await connection.send(`GET ${new URL(job.download_url ?? '').pathname} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await connection.until(/\r\n\r\n/)
    connection.pause()
    process.kill(holdall.pid, signal)
    // Once it accepts no new connections, it has handled the first signal.
    await until('no request is accepted', async () => !(await acceptsRequests(holdall.address)))
    process.kill(holdall.pid, signal)
    // A stop that waits for the download ends with 0.
    expect(await holdall.exited()).toBe(exitCode)
  },
  120_000,
)

async function acceptsRequests(address: string): Promise<boolean> {
  const response = await fetch(`${address}/health`).catch(() => null)
  return response !== null
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}
