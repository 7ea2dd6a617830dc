import { describe, expect, test } from 'bun:test'
import { newFolder, startChangingSite } from '../support/changing-site.ts'
import { forFile } from '../support/for-file.ts'
import { createSchedule, runNow } from '../support/schedules.ts'
import { startService } from '../support/service.ts'

const site = forFile(startChangingSite())
const service = forFile(await startService())

const folder = (files: Readonly<Record<string, string>>) => newFolder(site, files)

describe('A page as the list', () => {
  test('is read anew by each run', async () => {
    const files = folder({ 'a.pdf': 'one', 'b.pdf': 'two', 'c.zip': 'zip' })
    const links = (names: readonly string[]) => () =>
      new Response(names.map((name) => `<a href="${files.url(name)}">${name}</a>`).join(' '), {
        headers: { 'content-type': 'text/html' },
      })
    files.set('index.html', links(['a.pdf', 'c.zip']))
    const page = { url: files.url('index.html'), kind: 'document', match: '*.pdf' }
    const schedule = await createSchedule(service, { page })
    expect(schedule).toMatchObject({ page, urls: [], url_count: null })
    expect(await runNow(service, schedule.id)).toMatchObject({
      urls: [files.url('a.pdf')],
      changes: { added: 1 },
    })
    files.set('index.html', links(['a.pdf', 'b.pdf']))
    expect(await runNow(service, schedule.id)).toMatchObject({
      urls: [files.url('a.pdf'), files.url('b.pdf')],
      changes: { added: 1, unchanged: 1 },
    })
  })

  test('that cannot be had, or has no such links, refuses the run with the reason', async () => {
    const files = folder({})
    const { id } = await createSchedule(service, { page: { url: files.url('gone.html') } })
    const gone = await service.request('POST', `/schedules/${id}/run`)
    expect(gone.status).toBe(422)
    expect(gone.body.error).toMatchObject({
      code: 'PAGE_NOT_FETCHED',
      message: expect.stringContaining('HTTP 404'),
    })
    files.set('gone.html', () => new Response('<p>Nothing', { headers: { 'content-type': 'text/html' } }))
    const { body } = await service.request('POST', `/schedules/${id}/run`)
    expect(body.error).toMatchObject({ code: 'PAGE_NOT_FETCHED', message: 'The page has no links.' })
  })

  test('with more links than a list may have is refused, and none of them is told as gone', async () => {
    const files = folder({})
    const links = (count: number) => () =>
      new Response(Array.from({ length: count }, (_, index) => `<a href="${index}.pdf">`).join(''), {
        headers: { 'content-type': 'text/html' },
      })
    files.set('many.html', links(400_000))
    const { id } = await createSchedule(service, { page: { url: files.url('many.html') } })
    const many = await service.request('POST', `/schedules/${id}/run`)
    expect(many.body.error).toMatchObject({
      code: 'PAGE_NOT_FETCHED',
      message: 'The page has more links than Holdall looks at.',
    })
    files.set('many.html', links(5_001))
    const list = await service.request('POST', `/schedules/${id}/run`)
    expect(list.body.error).toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED' })
  })

  test('takes a pattern of at most 255 characters', async () => {
    const page = { url: 'https://example.com/', match: '*a'.repeat(128) }
    const body = { name: 'a', every: 'day', time_zone: 'UTC', page }
    const { status, body: refused } = await service.request('POST', '/schedules', { body })
    expect([status, refused.error.issues[0].path]).toEqual([400, 'page.match'])
  })
})
