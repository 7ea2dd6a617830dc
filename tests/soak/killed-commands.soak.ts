import { expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { runKilled } from '../faults/kill-command.ts'
import { NUMBERED_BODIES } from '../faults/pack-operation.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { tempDir } from '../support/temp-dir.ts'

const TEST_TIMEOUT_MS = 30 * 60_000

test(
  'After a kill at any system call by which holdall zip changes a file, running it again completes the archive and leaves no other file',
  async () => {
    await using origin = await startOrigin()
    using dir = tempDir()
    const urls = NUMBERED_BODIES.map(({ sizeBytes, name, query }) =>
      origin.url(`/bytes/${sizeBytes}/${name}?${query}`),
    )
    const zip = (name: string) => ['zip', ...urls, '-o', dir.file(name), '--allow-network', '127.0.0.0/8']
    const { exitCode, calls } = await runKilled(zip('counted.zip'), null)
    expect(exitCode).toBe(0)
    for (const [index, call] of calls.entries()) {
      const name = `${index}.zip`
      await runKilled(zip(name), call)
      expect([call, (await runKilled(zip(name), null)).exitCode]).toEqual([call, 0])
      const expected = NUMBERED_BODIES.map(({ entryName, sizeBytes }) => ({
        name: entryName,
        sizeBytes,
        sha256: expectedSha256(sizeBytes),
      }))
      expect(await readZip(dir.file(name))).toMatchObject(expected)
    }
    console.log(`holdall zip: killed at each of ${calls.length} calls`)
    const left = readdirSync(dir.path).filter((name) => !name.endsWith('.zip'))
    expect(left).toEqual([])
  },
  TEST_TIMEOUT_MS,
)

test(
  'After a kill at any system call by which a first start changes a file, the next start works and prints a sign-in link, and a backup can be restored to the directory',
  async () => {
    const listens = /^Holdall listens on .*$/m
    const signsIn = /^Sign in once, within 30 minutes: \S+$/m
    const serve = (data: string) => ['serve', '--data', data, '--listen', '127.0.0.1:0', '--no-open']
    using counted = tempDir()
    const { calls } = await runKilled(serve(counted.file('data')), null, signsIn)
    await runKilled(['backup', counted.file('b.tar'), '--data', counted.file('data')], null)
    for (const call of calls) {
      using dir = tempDir()
      await runKilled(serve(dir.file('data')), call, listens)
      // Killed before it created the directory.
      if (!existsSync(dir.file('data'))) mkdirSync(dir.file('data'))
      cpSync(dir.file('data'), dir.file('copy'), { recursive: true })
      const restored = await runKilled(['restore', counted.file('b.tar'), '--data', dir.file('copy')], null)
      expect([call, restored.exitCode]).toEqual([call, 0])
      for (const data of ['data', 'copy']) {
        const again = await runKilled(serve(dir.file(data)), null, signsIn)
        expect([call, data, again.exitCode]).toEqual([call, data, 0])
      }
    }
    console.log(`first start: killed at each of ${calls.length} calls`)
  },
  TEST_TIMEOUT_MS,
)
