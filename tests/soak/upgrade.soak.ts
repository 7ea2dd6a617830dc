import { expect, test } from 'bun:test'
import { MIGRATIONS } from '../support/first-migrations.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { startService } from '../support/service.ts'
import { sha256 } from '../support/sha256.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'
import { lastCommitOf, startEarlierVersion } from './earlier-version.ts'

const EARLIER = MIGRATIONS.map(
  (migration) => [migration, lastCommitOf(MIGRATIONS, migration) ?? 'HEAD'] as const,
)

test.each(EARLIER)(
  'This version completes a job that the last version with migration %s has half done (commit %s), and keeps its links and keys',
  async (_migration, commit) => {
    await using origin = await startOrigin()
    await using sources = startSources()
    await using earlier = await startEarlierVersion(commit)
    const { client, dataDir } = earlier
    const body = (name: string, sizeBytes: number) => ({
      url: origin.url(`/bytes/${sizeBytes}/${name}?seed=${sizeBytes}`),
      entry: { name, sizeBytes, sha256: expectedSha256(sizeBytes, sizeBytes) },
    })
    const done = await client.untilEnded(await client.createJob({ urls: [body('done.bin', 5_000).url] }))
    const bytesBefore = await (await fetch(done.download_url ?? '')).bytes()
    const stored = [body('small.bin', 3_000), body('large.bin', 700_000)]
    const urls = [...stored.map(({ url }) => url), sources.url('/slow')]
    const id = await client.createJob({ urls })
    await client.until(id, (job) => job.file_count === stored.length)
    expect(await earlier.stop()).toBe(0)

    await using service = await startService({ data: [dataDir] })
    sources.release()
    const job = await service.jobIn(id, ['completed', 'failed'], client.key)
    expect(job.status).toBe('completed')
    for (const { url } of stored)
      expect(origin.requests(new URL(url).pathname + new URL(url).search)).toHaveLength(1)
    using dir = tempDir()
    await Bun.write(dir.file('a.zip'), await fetch(job.download_url))
    const slow = { name: 'slow.txt', sizeBytes: 4, sha256: sha256('slow') }
    await expectReadable(dir.file('a.zip'), [...stored.map(({ entry }) => entry), slow])
    const oldLink = service.origin + new URL(done.download_url ?? '').pathname
    expect(await (await fetch(oldLink)).bytes()).toEqual(bytesBefore)
  },
  120_000,
)
