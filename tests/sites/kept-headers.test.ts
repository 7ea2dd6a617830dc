import { Database as Sqlite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { startService, type TestService } from '../support/service.ts'

const origin = forFile(await startOrigin())
const service = forFile(await startService())
const OWN_ORIGIN = new URL(origin.url('/')).origin
const headers = [{ name: 'X-Key', value: 'a' }]
const settings = { headers: [{ origin: OWN_ORIGIN, headers }] }
const DAY_MS = 86_400_000
const LISTED = [{ origin: OWN_ORIGIN, header_names: ['X-Key'] }]

describe('The headers of a job', () => {
  test('are kept while it can be retried, and their values are deleted when it is completed', async () => {
    const path = origin.url('/bytes/10/kept?fail=1&fail_status=404')
    const { id } = await service.finishedJob([path], settings)
    expect(sealedOf(service, id)).toBeInstanceOf(Uint8Array)
    await service.request('POST', `/jobs/${id}/retry`)
    const job = await service.jobIn(id, ['completed'])
    expect(sealedOf(service, id)).toBeNull()
    expect(job.headers).toEqual(LISTED)
  })

  test('are kept until the archive expires if URLs with a warning can be replaced', async () => {
    await using own = await startService()
    const { id } = await own.finishedJob([origin.url('/bytes/0/a.pdf'), origin.url('/ok/b')], settings)
    expect(sealedOf(own, id)).toBeInstanceOf(Uint8Array)
    await own.app.sweeper.sweep(Date.now() + 2 * DAY_MS)
    expect(sealedOf(own, id)).toBeNull()
  })

  test('are deleted with its URLs, and with the job', async () => {
    await using own = await startService()
    const gone = await own.finishedJob([origin.url('/status/404')], settings)
    const deleted = await own.finishedJob([origin.url('/status/404')], settings)
    await own.request('DELETE', `/jobs/${deleted.id}`)
    expect(sealedOf(own, deleted.id)).toBeUndefined()
    for (const days of [2, 60]) await own.app.sweeper.sweep(Date.now() + days * DAY_MS)
    expect(sealedOf(own, gone.id)).toBeUndefined()
    expect((await own.request('GET', `/jobs/${gone.id}`)).body.job).not.toHaveProperty('headers')
  })
})

test('Without the key, jobs run without what was sealed, the log says so, and a login can be entered again', async () => {
  await using own = await startService()
  const { site } = (await own.request('POST', '/sites', { body: { origin: OWN_ORIGIN, headers } })).body
  const failed = await own.finishedJob([origin.url('/bytes/10/lost?fail=1&fail_status=404')], settings)
  await own.whileStopped(async () => rmSync(join(own.dataDir, 'sealing-key')))
  await own.request('POST', `/jobs/${failed.id}/retry`)
  await own.jobIn(failed.id, ['completed'])
  expect(keysSentTo('/bytes/10/lost')).toEqual(['a', null])
  expect(own.logged.join('')).toContain('the headers of a site cannot be opened')
  expect(own.logged.join('')).toContain('the headers of a job cannot be opened')
  await own.request('PATCH', `/sites/${site.id}`, { body: { headers } })
  await own.finishedJob([origin.url('/ok/entered-again')])
  expect(keysSentTo('/ok/entered-again')).toEqual(['a'])
})

test('A site whose origin somebody has changed in the database is sent nowhere', async () => {
  await using own = await startService()
  await own.request('POST', '/sites', { body: { origin: 'https://example.org', headers } })
  await own.whileStopped(async () => {
    using sqlite = new Sqlite(join(own.dataDir, 'holdall.db'))
    sqlite.run('UPDATE sites SET origin = ?', [OWN_ORIGIN])
  })
  await own.finishedJob([origin.url('/ok/stolen')])
  expect(keysSentTo('/ok/stolen')).toEqual([null])
})

/** The sealed headers of a job: null once they are deleted, undefined without a row. */
function sealedOf({ dataDir }: TestService, jobId: string): unknown {
  using sqlite = new Sqlite(join(dataDir, 'holdall.db'), { readonly: true })
  return sqlite
    .query<{ sealed: unknown }, [string]>('SELECT sealed FROM job_logins WHERE job_id = ?')
    .get(jobId)?.sealed
}

function keysSentTo(path: string) {
  return origin.requests(path).map((request) => request.headers.get('x-key'))
}
