// test group: long
import { Database as Sqlite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { openDetailDeletions } from '../../server/jobs/deletion/detail-deletion-store.ts'
import { openJobQueries } from '../../server/jobs/reading/query-store.ts'
import { openLog } from '../../server/logging/log.ts'
import { checkData } from '../support/check-data.ts'
import { forFile } from '../support/for-file.ts'
import { jobToCreate } from '../support/job-to-create.ts'
import { openTransitions } from '../support/open-transitions.ts'
import { PROGRAM_FILES, startService, type TestService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'

const sources = forFile(startSources())
/** 3 MB of URLs: they are written in several transactions. */
const longUrls = (path = '/ok/a', count = 400) =>
  Array.from({ length: count }, (_, index) => sources.url(`${path}?${index}/`).padEnd(8_000, 'x'))

function rows({ dataDir }: TestService): { sources: number; left: number } | null {
  using sqlite = new Sqlite(join(dataDir, 'holdall.db'), { readonly: true })
  return sqlite
    .query<{ sources: number; left: number }, []>(
      'SELECT (SELECT count(*) FROM sources) AS sources, (SELECT count(*) FROM detail_deletions) AS left',
    )
    .get()
}

const sourcesOf = (urls: readonly string[]) => urls.map((url) => ({ url, filename: null }))

describe('A job of a long list', () => {
  test('is in no list, runs not, and is deleted by no sweep, until all of its URLs are written', async () => {
    using dir = tempDir()
    using db = openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir)
    const userId = openAccountStore(db).owner(0).id
    const transitions = openTransitions(db)
    const jobs = openJobQueries(db)
    const deletions = openDetailDeletions(
      db,
      transitions.isBeingWritten,
      openLog(undefined, () => {}),
    )
    const job = jobToCreate({ userId })
    let turns = 0
    const nextTurn = async () => {
      turns++
      expect([jobs.find(userId, job.id), transitions.claimOldest(userId, Infinity)]).toEqual([null, null])
      expect(jobs.counts(userId).pending).toBe(0)
      await deletions.deletePending(new AbortController().signal)
    }
    await transitions.create(job, sourcesOf(longUrls()), { nextTurn, assertAllowed() {}, alongside() {} })
    expect(turns).toBeGreaterThan(3)
    await deletions.deletePending(new AbortController().signal)
    expect(transitions.claimOldest(userId, Infinity)).toMatchObject({ jobId: job.id, urlCount: 400 })
    const found = jobs.find(userId, job.id)
    expect([...(found === null ? [] : jobs.sourcesOf(found.job))]).toEqual(
      sourcesOf(longUrls()).map((source) => ({ ...source, sha256: null })),
    )
  })

  test('of which a killed process has written a part does not exist, and the next start deletes the part', async () => {
    await using service = await startService()
    await service.whileStopped(async () => {
      using db = openDatabase(join(service.dataDir, 'holdall.db'), PROGRAM_FILES.migrationsDir)
      const userId = openAccountStore(db).owner(0).id
      const isKilled = Promise.withResolvers<void>()
      let turns = 0
      const nextTurn = async () => {
        if (++turns < 3) return
        isKilled.resolve()
        await new Promise(() => {})
      }
      const creation = { nextTurn, assertAllowed() {}, alongside() {} }
      void openTransitions(db).create(jobToCreate({ userId }), sourcesOf(longUrls()), creation)
      await isKilled.promise
      expect(rows(service)?.sources).toBeWithin(100, 400)
    })
    expect((await service.request('GET', '/jobs')).body.meta.total).toBe(0)
    await service.app.sweeper.sweepNow()
    expect(rows(service)).toEqual({ sources: 0, left: 0 })
    await service.whileStopped(async () => checkData(service.dataDir))
  })

  test('is refused, and leaves nothing, when another one has used up the plan meanwhile', async () => {
    using dir = tempDir()
    await Bun.write(dir.file('plans.json'), '{"pro":{"max_database_bytes":8000000}}')
    await using service = await startService({ plans: [dir.file('plans.json')] })
    const body = { urls: longUrls('/silent') }
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => service.request('POST', '/jobs', { body })),
    )
    const codes = replies.map((reply) => reply.body.error?.code ?? reply.status)
    // 3.2 MB each. The third is allowed as long as there is some space left.
    expect(codes.toSorted()).toEqual([
      201,
      201,
      201,
      ...Array.from({ length: 3 }, () => 'PLAN_LIMIT_EXCEEDED'),
    ])
    expect(rows(service)).toEqual({ sources: 3 * 400, left: 0 })
  })

  test('has other URLs after a retry that replaces all of them, and they count', async () => {
    await using service = await startService()
    const job = await service.finishedJob(longUrls('/404'))
    const replace = longUrls('/ok/a').map((url, position) => ({ position, url: `${url}longer` }))
    const path = `/jobs/${job.id}/retry`
    for (const wrong of [
      [...replace, replace[0]],
      [...replace.slice(1), { ...replace[0], position: 400 }],
    ]) {
      const { status, body } = await service.request('POST', path, { body: { replace: wrong } })
      expect([status, body.error.code, body.error.issues.length]).toEqual([400, 'INVALID_REQUEST', 1])
    }
    const before = (await service.request('GET', `/jobs/${job.id}`)).body.job
    expect([before.status, before.urls]).toEqual(['failed', job.urls])

    const [one, two] = await Promise.all(
      [0, 1].map(() => service.request('POST', path, { body: { replace } })),
    )
    expect([one?.status, two?.status].toSorted()).toEqual([200, 400])
    const retried = await service.jobIn(job.id, ['completed'])
    expect([retried.urls, retried.file_count]).toEqual([replace.map(({ url }) => url), 400])
    await service.whileStopped(async () => checkData(service.dataDir))
  })

  test('is deleted with all of its rows', async () => {
    await using service = await startService()
    const job = await service.finishedJob(longUrls('/404'))
    await service.request('DELETE', `/jobs/${job.id}`)
    expect(rows(service)).toEqual({ sources: 0, left: 0 })
    await service.whileStopped(async () => checkData(service.dataDir))
  })
})
