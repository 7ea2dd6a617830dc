// test group: long
import { expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { dataPaths } from '../../server/data/data-dir.ts'
import { MIGRATIONS } from '../support/first-migrations.ts'
import { forFile } from '../support/for-file.ts'
import { makeOlder } from '../support/older-database.ts'
import { expectedSha256, sha256, startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'

/** From this migration on, an archive directory has an owner. */
const OWNERS = '0004_owned_archives'

const origin = forFile(await startOrigin())

test.concurrent.each(MIGRATIONS)(
  'A service whose database ends with migration %s is upgraded: links work on, and a job that is half done is completed',
  async (last) => {
    await using sources = startSources()
    await using service = await startService()
    const path = (name: string, bytes: number) => `/bytes/${bytes}/${last}-${name}.bin?seed=${bytes}`
    const done = await service.finishedJob([origin.url(path('done', 5_000))])
    const bytesBefore = await (await fetch(done.download_url)).bytes()
    const stored = [path('small', 3_000), path('large', 700_000)]
    const urls = [...stored.map((each) => origin.url(each)), sources.url('/slow')]
    const { job_id } = (await service.request('POST', '/jobs', { body: { urls } })).body
    while ((await service.jobIn(job_id, ['processing'])).file_count < stored.length) await Bun.sleep(5)

    await service.whileStopped(async () => {
      const dir = dataPaths(service.dataDir)
      expect(existsSync(`${dir.archive(job_id)}.part`)).toBe(true)
      makeOlder(dir.database, last)
      if (last < OWNERS) rmSync(dir.archiveOwner)
    })
    sources.release()
    const job = await service.jobIn(job_id, ['completed', 'failed'])
    expect(job).toMatchObject({ status: 'completed', file_count: 3 })
    for (const each of stored) expect(origin.requests(each)).toHaveLength(1)
    using dir = tempDir()
    await Bun.write(dir.file('all.zip'), await fetch(job.download_url))
    const unpacked = (name: string) =>
      sha256(Bun.spawnSync(['unzip', '-p', dir.file('all.zip'), name]).stdout)
    expect(unpacked(`${last}-small.bin`)).toBe(expectedSha256(3_000, 3_000))
    expect(unpacked(`${last}-large.bin`)).toBe(expectedSha256(700_000, 700_000))
    expect(unpacked('slow.txt')).toBe(sha256('slow'))
    const oldLink = service.origin + new URL(done.download_url).pathname
    expect(await (await fetch(oldLink)).bytes()).toEqual(bytesBefore)
    expect((await service.request('GET', '/jobs/stats')).body.stats).toMatchObject({ completed: 2, total: 2 })
    expect((await service.request('GET', '/me')).body.usage.gb_days).toBeGreaterThan(0)
  },
  120_000,
)
