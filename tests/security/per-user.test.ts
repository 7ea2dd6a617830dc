import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '../../server/db/open.ts'
import { openApiKeyStore } from '../../server/keys/api-key-store.ts'
import { forFile } from '../support/for-file.ts'
import { createShort, jobToCreate } from '../support/job-to-create.ts'
import { openTransitions } from '../support/open-transitions.ts'
import { PROGRAM_FILES, startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const MAX_PER_USER = 1_000

const sources = forFile(startSources())

test('A user may have 1,000 jobs that have not ended', async () => {
  await using service = await startService({ jobs: ['1'] })
  const { user } = (await service.request('GET', '/me')).body
  const urls = [sources.url('/slow')]
  const failed = await service.finishedJob([sources.url('/missing')])
  const { body: running } = await service.request('POST', '/jobs', { body: { urls } })
  await service.jobIn(running.job_id, ['processing'])
  createJobs(service.dataDir, user.id, MAX_PER_USER - 1)

  const refused = await service.request('POST', '/jobs', { body: { urls } })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
  expect(refused.body.error.message).toContain('1000')
  const retried = await service.request('POST', `/jobs/${failed.id}/retry`)
  expect([retried.status, retried.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
  expect((await service.request('GET', '/jobs/stats')).body.stats).toMatchObject({
    failed: 1,
    total: MAX_PER_USER + 1,
  })
  const key = await service.addUser('other')
  expect((await service.request('POST', '/jobs', { key, body: { urls } })).status).toBe(201)

  await service.request('POST', `/jobs/${running.job_id}/cancel`)
  expect((await service.request('POST', '/jobs', { body: { urls } })).status).toBe(201)
})

test('A user may have 1,000 keys, including keys of browsers but not revoked keys', async () => {
  await using service = await startService()
  const { user } = (await service.request('GET', '/me')).body
  using db = openDatabase(join(service.dataDir, 'holdall.db'), PROGRAM_FILES.migrationsDir)
  const keys = openApiKeyStore(db)
  const create = () => service.request('POST', '/api-keys')
  const { id } = (await create()).body.api_key
  for (let had = keys.count(user.id); had < MAX_PER_USER; had++) {
    const digest = Buffer.from(`key ${had}`)
    keys.add(user.id, digest, {
      id: Bun.randomUUIDv7(),
      name: 'x',
      prefix: 'x',
      createdAt: 1,
      expiresAt: null,
    })
  }
  const refused = await create()
  expect([refused.status, refused.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
  expect(refused.body.error.message).toContain('1000')
  await service.request('DELETE', `/api-keys/${id}`)
  expect((await create()).status).toBe(201)
  expect((await create()).status).toBe(403)
})

/** Creates jobs directly in the database. */
function createJobs(dataDir: string, userId: string, count: number): void {
  using db = openDatabase(join(dataDir, 'holdall.db'), PROGRAM_FILES.migrationsDir)
  const transitions = openTransitions(db)
  for (let made = 0; made < count; made++)
    createShort(transitions, jobToCreate({ userId }), [{ url: sources.url('/slow'), filename: null }])
}
