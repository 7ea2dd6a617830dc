import { expect, test } from 'bun:test'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'

test('A job that is killed in the middle of a page keeps its warnings, and gets that of the page', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const urls = [
    '/behind-sign-in/a.pdf',
    '/empty/b.bin',
    '/files/report.pdf',
    '/page/d.pdf?type=application/pdf&size=400000&stall=half',
  ].map(origin.url)
  const jobId = await client.createJob({ urls })
  await client.until(jobId, ({ warning_count }) => warning_count === 2)
  await holdall.kill()
  await holdall.restart()
  const job = await client.untilEnded(jobId)
  expect(job).toMatchObject({ status: 'completed', file_count: 4, warning_count: 3 })
  const response = await client.request('GET', `/jobs/${jobId}/entries`)
  const { entries }: { entries: { warning: { code: string } | null }[] } = JSON.parse(await response.text())
  expect(entries.map(({ warning }) => warning?.code)).toEqual([
    'HTML_INSTEAD',
    'EMPTY',
    undefined,
    'HTML_INSTEAD',
  ])
}, 120_000)
