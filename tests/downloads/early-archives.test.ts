import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { openEarlyArchives } from '../../server/downloads/early-archives.ts'
import { openCheckpointStore } from '../../server/jobs/lifecycle/checkpoint-store.ts'
import { openLiveProgress } from '../../server/jobs/progress.ts'
import { openJobQueries } from '../../server/jobs/reading/query-store.ts'
import { createShort, jobToCreate } from '../support/job-to-create.ts'
import { openTransitions } from '../support/open-transitions.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

test('What is settled while a client is busy with what it has is sent to it, and all clients together look once at what has changed', async () => {
  using dir = tempDir()
  using db = openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir)
  const userId = openAccountStore(db).owner(0).id
  const transitions = openTransitions(db)
  const job = jobToCreate({ userId })
  createShort(transitions, job, [{ url: 'https://a.test/', filename: null }])
  const claim = transitions.claimOldest(userId, Infinity)
  if (claim === null) throw new Error('the job could not be claimed')
  writeFileSync(dir.file('a.zip.part'), new Uint8Array(100))
  const queries = openJobQueries(db)
  let reads = 0
  const findForDownload: typeof queries.findForDownload = (id) => {
    reads++
    return queries.findForDownload(id)
  }
  const checkpoint = openCheckpointStore(db)
  const settle = (settledBytes: number) => {
    const counts = { fileCount: 0, zipBytes: 0, reusedCount: 0, warningCount: 0 }
    checkpoint.commit(claim, [{ kind: 'settle', settledBytes, places: [] }], counts, true)
    early.changed(job.id)
  }
  const openNothing = () => {
    throw new Error('the archive is not complete')
  }
  await using early = openEarlyArchives(
    { archive: () => dir.file('a.zip') },
    { findForDownload },
    { open: openNothing },
    openLiveProgress(() => 0),
  )
  settle(50)
  const row = queries.findForDownload(job.id)
  if (row === null) throw new Error('the job is not there')
  const stop = new AbortController()
  const clients = Array.from({ length: 100 }, () => early.open(row).pieces(0, stop.signal, 1024))
  const expectSent = async (sizeBytes: number) => {
    for (const pieces of clients) {
      expect((await pieces.next()).value).toHaveLength(sizeBytes)
      expect((await pieces.next()).value).toBe('waiting')
    }
  }
  await expectSent(50)
  expect(reads).toBe(1)
  settle(80)
  await expectSent(30)
  expect(reads).toBe(2)
  stop.abort(new Error('the client is gone'))
  for (const pieces of clients) await expect(pieces.next()).rejects.toThrow('the client is gone')
})
