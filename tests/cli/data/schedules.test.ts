import { describe, expect, test } from 'bun:test'
import { startChangingSite } from '../../support/changing-site.ts'
import { forFile } from '../../support/for-file.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { runsOf, scheduleOf } from '../../support/schedules.ts'
import { startService } from '../../support/service.ts'
import { tempDir } from '../../support/temp-dir.ts'

const site = forFile(startChangingSite())
const service = forFile(await startService())
site.set('/a', 'the file')

/** Runs one command while the service runs. */
async function holdall(...args: readonly string[]) {
  const result = await runCommand([...args, '--data', service.dataDir])
  return { ...result, lines: result.stdout.split('\n').filter((line) => line !== '') }
}

async function add(name: string, ...args: readonly string[]): Promise<string> {
  const { exitCode, stderr, lines } = await holdall('schedule', 'add', name, ...args)
  expect([exitCode, stderr]).toEqual([0, ''])
  return lines[0]?.split('\t')[0] ?? ''
}

describe('holdall schedule', () => {
  test('add, list, pause, resume and remove take effect while the service runs', async () => {
    const id = await add(
      'Prices',
      site.url('/a'),
      '--cron',
      '0 6 1 1 *',
      '--time-zone',
      'Europe/Berlin',
      '--keep',
      '2',
    )
    expect(await scheduleOf(service, id)).toMatchObject({
      name: 'Prices',
      urls: [site.url('/a')],
      cron: '0 6 1 1 *',
      time_zone: 'Europe/Berlin',
      keep: 2,
    })
    const { next_run_at } = await scheduleOf(service, id)
    const row = (status: string, next: string) => [
      id,
      'Prices',
      status,
      '0 6 1 1 *',
      'Europe/Berlin',
      next,
      '-',
      '-',
    ]
    const listed = async () => (await holdall('schedule', 'list')).lines.map((line) => line.split('\t'))
    expect(await listed()).toContainEqual(row('active', next_run_at))
    expect(await holdall('schedule', 'pause', 'Prices')).toMatchObject({ exitCode: 0 })
    expect(await listed()).toContainEqual(row('paused', '-'))
    expect(await holdall('schedule', 'resume', id)).toMatchObject({ exitCode: 0 })
    expect(await listed()).toContainEqual(row('active', next_run_at))
    expect(await holdall('schedule', 'remove', 'Prices')).toMatchObject({ exitCode: 0 })
    expect((await service.request('GET', `/schedules/${id}`)).status).toBe(404)
  })

  test('run lets the service begin a run, also of a paused schedule', async () => {
    const id = await add('Now', site.url('/a'), '--every', 'month')
    await holdall('schedule', 'pause', 'Now')
    expect(await holdall('schedule', 'run', 'Now')).toMatchObject({ exitCode: 0 })
    await service.app.scheduleTimer.runDue()
    const [run] = await runsOf(service, id)
    expect(await service.jobIn(run.job_id, ['completed', 'failed'])).toMatchObject({ status: 'completed' })
    await service.app.scheduleTimer.runDue()
    expect(await runsOf(service, id)).toHaveLength(1)
    expect(await scheduleOf(service, id)).toMatchObject({ status: 'paused', next_run_at: null })
  })

  test('add takes a list with names, or a page', async () => {
    using dir = tempDir()
    await Bun.write(dir.file('list.txt'), `${site.url('/a')}\tx/a.txt\n`)
    const listed = await add('Listed', '-i', dir.file('list.txt'), '--every', 'day')
    expect((await scheduleOf(service, listed)).files).toEqual([{ url: site.url('/a'), filename: 'x/a.txt' }])
    const page = ['--page', site.url('/index'), '--kind', 'document', '--match', '*.pdf']
    const ofPage = await add('Reports', ...page, '--every', 'week')
    expect((await scheduleOf(service, ofPage)).page).toEqual({
      url: site.url('/index'),
      kind: 'document',
      match: '*.pdf',
    })
  })

  test.each([
    [['add'], 2, 'Expected NAME'],
    [['add', 'X', 'https://example.org/'], 2, '--every'],
    [['add', 'X', '--every', 'day'], 2, 'Expected URLs'],
    [['add', 'X', 'ftp://example.org/', '--every', 'day'], 2, 'URL 1: expected an http or https URL'],
    [['add', 'X', 'https://example.org/', '--every', 'year'], 2, '--every: must be hour'],
    [['add', 'X', 'https://example.org/', '--cron', 'x'], 2, '--cron: must have five fields'],
    [
      ['add', 'X', 'https://example.org/', '--every', 'day', '--time-zone', 'Mars'],
      2,
      '--time-zone: must be the name',
    ],
    [['add', 'X', 'https://example.org/', '--every', 'day', '--keep', 'many'], 2, '--keep'],
    [
      ['add', 'X', 'https://example.org/', '--cron', '*/5 * * * *'],
      1,
      'The pro plan runs a schedule every hour',
    ],
    [['run', 'Nobody'], 1, 'owner has no such schedule'],
    [['pause'], 2, 'Expected NAME|ID'],
  ])('%j ends with %i and says %s', async (args, exitCode, message) => {
    const result = await holdall('schedule', ...args)
    expect(result.exitCode).toBe(exitCode)
    expect(result.stderr).toContain(message)
    expect(result.stderr.trim().split('\n')).toHaveLength(1)
  })
})
