import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { type Origin, startOrigin } from '../../support/origin.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { type TestJob, testJob } from '../../support/test-job.ts'

const GETENT = `#!/bin/sh
case "$3" in
  silent*) exec sleep 600 ;;
  absent*) exit 2 ;;
  *) echo '127.0.0.1 STREAM' ;;
esac
`

/** A system that knows all names in .local but the absent ones, and never answers for the silent ones, as a multicast query does. */
describe.if(process.platform === 'linux')('names that the system looks up', () => {
  const dir = tempDir()
  const systemPath = process.env.PATH
  let origin: Origin

  beforeAll(async () => {
    writeFileSync(dir.file('getent'), GETENT)
    chmodSync(dir.file('getent'), 0o755)
    process.env.PATH = `${dir.path}:${systemPath}`
    origin = await startOrigin()
  })

  afterAll(async () => {
    process.env.PATH = systemPath
    dir[Symbol.dispose]()
    await origin[Symbol.asyncDispose]()
  })

  const urlsAt = (name: (n: number) => string, count: number) =>
    Array.from({ length: count }, (_, n) => origin.url(`/bytes/2000/${n}.bin`).replace('127.0.0.1', name(n)))

  /** Runs a job until so many of its URLs are stored. @returns how many are stored and have failed */
  async function runUntilStored(job: TestJob, wanted: number): Promise<number[]> {
    const count = (status: string) => job.checkpoint.entries.filter((entry) => entry.status === status).length
    const stop = new AbortController()
    await job.run({
      stop: stop.signal,
      onCommit: () => {
        if (count('stored') === wanted) stop.abort()
      },
    })
    return [count('stored'), count('failed')]
  }

  test('twelve silent names do not delay a good one after them', async () => {
    using jobDir = tempDir()
    const urls = [...urlsAt((n) => `silent-${n}.local`, 12), ...urlsAt(() => 'good.local', 1)]
    expect(await runUntilStored(testJob(jobDir.file('a.zip'), urls), 1)).toEqual([1, 0])
  })

  test('hundreds of silent names hold no connection that other hosts need', async () => {
    using jobDir = tempDir()
    const urls = [...urlsAt((n) => `silent-${n}.local`, 300), ...urlsAt(() => '127.0.0.1', 200)]
    expect(await runUntilStored(testJob(jobDir.file('a.zip'), urls), 200)).toEqual([200, 0])
  })

  test('a name that waits for others is looked up when it is its turn, and not given up before', async () => {
    using jobDir = tempDir()
    const urls = [...urlsAt((n) => `absent-${n}.local`, 100), ...urlsAt((n) => `good-${n}.local`, 50)]
    const job = testJob(jobDir.file('a.zip'), urls)
    expect(await job.run()).toMatchObject({ status: 'completed', fileCount: 50 })
    expect(new Set(job.errors.map(([, error]) => error))).toEqual(new Set(['Could not resolve host']))
  })
})
