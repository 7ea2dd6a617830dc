// test group: long
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { runKilled } from '../faults/kill-command.ts'
import { checkData } from '../support/check-data.ts'
import { clientOf, download, signInOwner } from '../support/client.ts'
import { EXECUTABLE, type Holdall, startHoldall } from '../support/executable.ts'
import { type CommandResult, resultOf } from '../support/holdall-command.ts'
import { inMountNamespace } from '../support/mount-namespace.ts'
import { startOrigin } from '../support/origin.ts'
import { sha256OfFile } from '../support/sha256.ts'
import { tempDir } from '../support/temp-dir.ts'

const MB = 1_000_000
/** A kill before each of the system calls that change files takes minutes. */
const KILLS = 4

function holdall(args: readonly string[], under: readonly string[] = []): Promise<CommandResult> {
  const command = [...under, EXECUTABLE, ...args]
  return resultOf(Bun.spawn(command, { stdio: ['ignore', 'pipe', 'pipe'] }))
}

/** A running service with an archive of some megabytes. */
async function startWithArchive(holdall: Holdall, url: string) {
  const client = await signInOwner(holdall)
  const job = await client.untilEnded(await client.createJob({ urls: [url] }))
  return { client, job }
}

test.each(['b.tar', 'b/'])(
  'While a job runs, %s is backed up and restored: old links give the same bytes, and the job completes',
  async (name) => {
    using dir = tempDir()
    await using origin = await startOrigin()
    await using running = await startHoldall()
    const { client, job } = await startWithArchive(running, origin.url(`/bytes/${5 * MB}/a.bin`))
    await download(job, dir.file('before.zip'))
    const slow = await client.createJob({
      urls: [origin.url(`/bytes/${MB}/b.bin`), origin.url(`/bytes/${2 * MB}/c.bin?gate=backed-up`)],
    })
    await client.until(slow, ({ file_count }) => file_count === 1)
    expect(await holdall(['backup', dir.file(name), '--data', running.dataDir])).toMatchObject({
      exitCode: 0,
    })
    expect(await client.getJob(slow)).toMatchObject({ status: 'processing' })
    origin.open('backed-up')
    expect(await client.untilEnded(slow)).toMatchObject({ status: 'completed', file_count: 2 })
    await running.kill()

    await using restored = await startHoldall({
      under: ['sh', '-c', '"$2" restore "$1" --data "$4" && shift && exec "$@"', 'sh', dir.file(name)],
    })
    const again = clientOf(() => restored.address, client.key)
    const link = new URL(job.download_url ?? '')
    await download({ ...job, download_url: restored.address + link.pathname }, dir.file('after.zip'))
    expect(await sha256OfFile(dir.file('after.zip'))).toBe(await sha256OfFile(dir.file('before.zip')))
    expect(await again.untilEnded(slow)).toMatchObject({ status: 'completed', file_count: 2 })
    await restored.stop()
    checkData(restored.dataDir)
  },
)

test.each(['b.tar', 'b/'])(
  'A backup to %s that is killed leaves no backup or a whole one, and the next one works and leaves nothing else',
  async (name) => {
    using dir = tempDir()
    await using origin = await startOrigin()
    await using running = await startHoldall()
    await startWithArchive(running, origin.url(`/bytes/${3 * MB}/a.bin`))
    const backup = (to: string) => ['backup', to, '--data', running.dataDir]
    const { exitCode, calls } = await runKilled(backup(dir.file(`counted-${name}`)), null)
    expect(exitCode).toBe(0)
    for (const [index, call] of spread(calls, KILLS).entries()) {
      mkdirSync(dir.file(`${index}`))
      const path = dir.file(`${index}/${name}`)
      await runKilled(backup(path), call)
      if (existsSync(path)) await holdall(['restore', path, '--data', dir.file(`${index}-killed`)])
      if (existsSync(path)) checkData(dir.file(`${index}-killed`))
      // Refused when the killed one had already written a whole directory.
      const next = await holdall(backup(path))
      expect([call, next.exitCode]).toEqual([
        call,
        name === 'b/' && next.stderr.includes('is not empty') ? 1 : 0,
      ])
      expect([call, readdirSync(dir.file(`${index}`))]).toEqual([call, [name.replace('/', '')]])
      expect(await holdall(['restore', path, '--data', dir.file(`${index}-data`)])).toMatchObject({
        exitCode: 0,
      })
      checkData(dir.file(`${index}-data`))
    }
  },
  240_000,
)

test('A restore that is killed lets no service start, and the same command completes it', async () => {
  using dir = tempDir()
  await using origin = await startOrigin()
  await using running = await startHoldall()
  await startWithArchive(running, origin.url(`/bytes/${3 * MB}/a.bin`))
  await holdall(['backup', dir.file('b.tar'), '--data', running.dataDir])
  const restore = (data: string) => ['restore', dir.file('b.tar'), '--data', data]
  const { exitCode, calls } = await runKilled(restore(dir.file('counted')), null)
  expect(exitCode).toBe(0)
  for (const [index, call] of spread(calls, KILLS).entries()) {
    const data = dir.file(`${index}`)
    const killed = await runKilled(restore(data), call)
    const isUnfinished = existsSync(`${data}/restoring`)
    if (isUnfinished) {
      const refused = await holdall(['user', 'list', '--data', data])
      expect(refused).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('not completely restored'),
      })
    }
    if (isUnfinished || !existsSync(`${data}/holdall.db`))
      expect([call, killed.exitCode, await holdall(restore(data))]).toMatchObject([
        call,
        null,
        { exitCode: 0 },
      ])
    expect(readdirSync(data).sort()).toEqual([
      'archives',
      'holdall.db',
      'sealing-key',
      'settings.json',
      'signing-secrets.json',
    ])
    checkData(data)
  }
}, 240_000)

test('A full disk ends a backup and a restore with one sentence, and they leave nothing behind', async () => {
  using dir = tempDir()
  await using origin = await startOrigin()
  await using running = await startHoldall()
  await startWithArchive(running, origin.url(`/bytes/${20 * MB}/a.bin`))
  await holdall(['backup', dir.file('b.tar'), '--data', running.dataDir])
  mkdirSync(dir.file('disk'))
  for (const sizeBytes of [100_000, 10 * MB]) {
    const script = `mount -t tmpfs -o size=${sizeBytes} tmpfs "$1"`
    const listing = ['sh', '-c', '"$@"; code=$?; ls -A "$0"; exit $code', dir.file('disk')]
    const under = [...inMountNamespace(script, dir.file('disk')), ...listing]
    for (const args of [
      ['backup', dir.file('disk/b.tar'), '--data', running.dataDir],
      ['backup', dir.file('disk/b/'), '--data', running.dataDir],
      ['restore', dir.file('b.tar'), '--data', dir.file('disk/data')],
    ]) {
      const result = await holdall(args, under)
      expect([args[0], result]).toEqual([args[0], { exitCode: 1, stdout: '', stderr: expect.any(String) }])
      expect(result.stderr.trim().split('\n')).toEqual([expect.stringContaining('is on a full disk')])
    }
  }
}, 120_000)

/** Some elements of a list, evenly spread, with the last ones. */
function spread<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, list.length / count)
  const picked = Array.from(
    { length: Math.min(count, list.length) },
    (_, index) => list[Math.floor(index * step)],
  )
  return [...picked, ...list.slice(-4)].flatMap((each) => each ?? [])
}
