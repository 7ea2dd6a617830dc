import { describe, expect, test } from 'bun:test'
import { forFile } from '../../support/for-file.ts'
import { startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { type TestJob, testJob } from '../../support/test-job.ts'

const origin = forFile(await startOrigin())

const IN_PLACE = 100_000
const LARGE = 3_000_000

const warningsOf = ({ checkpoint }: TestJob) =>
  checkpoint.entries
    .toSorted((a, b) => a.position - b.position)
    .map((entry) => (entry.status === 'stored' ? (entry.warning?.code ?? null) : entry.status))

async function warningsFor(paths: readonly string[]) {
  using dir = tempDir()
  const job = testJob(
    dir.file('a.zip'),
    paths.map((path) => origin.url(path)),
  )
  expect(await job.run()).toMatchObject({ status: 'completed', fileCount: paths.length })
  return warningsOf(job)
}

describe('an entry is packed with a warning', () => {
  test.concurrent.each([
    ['in memory', '/page/a.pdf'],
    ['labelled application/pdf', '/page/a.pdf?type=application/pdf'],
    ['labelled application/octet-stream', '/page/a.pdf?type=application/octet-stream'],
    ['in place', `/page/a.pdf?type=application/pdf&size=${IN_PLACE}`],
    ['in place, and large', `/page/a.pdf?type=application/pdf&size=${LARGE}`],
    ['spooled', `/page/a.pdf?size=${LARGE}`],
    ['spooled, without a length', `/page/a.pdf?type=application/pdf&framing=chunked&size=${LARGE}`],
    ['decoded', `/page/a.pdf?coding=gzip`],
    ['decoded, and spooled', `/page/a.pdf?coding=gzip&size=${LARGE}`],
    ['named by its header', '/page/get?disposition=attachment; filename=a.zip'],
    ['behind a redirect', '/behind-sign-in/a.pdf'],
    ['continued by range', `/page/a.pdf?type=application/pdf&cut=half&size=${IN_PLACE}`],
  ])('HTML_INSTEAD: a page %s', async (_, path) => {
    expect(await warningsFor([path])).toEqual(['HTML_INSTEAD'])
  })

  test.concurrent('EMPTY: 0 bytes, with a length, chunked, text or not', async () => {
    const paths = ['/empty/a.pdf', '/empty/b.txt?type=text/plain', '/empty/c.bin?framing=chunked']
    expect(await warningsFor(paths)).toEqual(['EMPTY', 'EMPTY', 'EMPTY'])
  })

  test.concurrent('and a file that is what its name says has none', async () => {
    const readme = `body=${encodeURIComponent('<h1 align="center">x</h1>')}&type=text/plain`
    const paths = [
      '/files/report.pdf',
      '/page/a.html',
      '/page/a',
      `/text/README.md?${readme}`,
      '/bytes/1/a.pdf',
    ]
    expect(await warningsFor(paths)).toEqual([null, null, null, null, null])
  })
})

test.concurrent('the message names a sign-in page, and nothing of the query', async () => {
  using dir = tempDir()
  const job = testJob(
    dir.file('a.zip'),
    ['/behind-sign-in/a.pdf?key=SECRET', '/sign-in-form/b.zip'].map(origin.url),
  )
  await job.run()
  const messages = job.checkpoint.entries.map((entry) =>
    entry.status === 'stored' ? entry.warning?.message : '',
  )
  expect(messages.toSorted()).toEqual([
    'The source sent a sign-in page in place of a .pdf file. Use a link that works without signing in.',
    'The source sent a sign-in page in place of a .zip file. Use a link that works without signing in.',
  ])
})

test.concurrent('the progress tells each warning, and how many there are', async () => {
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), ['/page/a.pdf', '/empty/b.pdf', '/files/report.pdf'].map(origin.url))
  await job.run()
  expect(job.progress.at(-1)).toMatchObject({ fileCount: 3, warningCount: 2 })
  const told = job.progress.flatMap(({ entries }) => entries).filter(({ status }) => status === 'stored')
  expect(told.toSorted((a, b) => a.position - b.position).map(({ warning }) => warning?.code)).toEqual([
    'HTML_INSTEAD',
    'EMPTY',
    undefined,
  ])
})

test.concurrent('a page that a run began and the next one continues by range gets its warning', async () => {
  using dir = tempDir()
  const path = `/page/resumed.pdf?type=application/pdf&stall=half&size=${IN_PLACE}`
  const job = testJob(dir.file('a.zip'), [origin.url(path)])
  const stopped = new AbortController()
  const hasPartial = () => job.checkpoint.entries.some(({ status }) => status === 'partial')
  const outcome = await job.run({
    stop: stopped.signal,
    onCommit: () => {
      if (hasPartial()) stopped.abort()
    },
  })
  expect(outcome.status).toBe('stopped')
  expect(await job.run()).toMatchObject({ status: 'completed' })
  expect(origin.requests(path).at(-1)?.headers.get('range')).toMatch(/^bytes=\d+-$/)
  expect(warningsOf(job)).toEqual(['HTML_INSTEAD'])
})

describe('with fail_on_warning', () => {
  const failOnWarning = { order: { failOnWarning: true } }

  test.concurrent('they are failures, which are not tried again', async () => {
    using dir = tempDir()
    const paths = ['/page/x.pdf?run=fail', '/empty/x.pdf?run=fail', '/files/report.pdf']
    const job = testJob(dir.file('a.zip'), paths.map(origin.url))
    expect(await job.run(failOnWarning)).toMatchObject({ status: 'completed', fileCount: 1 })
    expect(job.errors).toEqual([
      [0, 'Unexpected HTML'],
      [1, 'Empty file'],
    ])
    for (const path of paths.slice(0, 2)) expect(origin.requests(path)).toHaveLength(1)
    expect(await readZip(job.archivePath)).toMatchObject([{ name: 'report.pdf' }])
  })

  test.concurrent('one of them fails a job that tolerates none', async () => {
    using dir = tempDir()
    const job = testJob(dir.file('a.zip'), [origin.url(`/page/y.pdf?type=application/pdf&size=${IN_PLACE}`)])
    const order = { failOnWarning: true, failOnUrlError: true }
    expect(await job.run({ order })).toMatchObject({ status: 'failed', failure: { code: 'URL_FAILED' } })
  })

  test.concurrent('an entry that an earlier run packed with a warning is fetched again', async () => {
    using dir = tempDir()
    const paths = ['/page/z.pdf?run=again', '/page/w.pdf?fixed_at=2', '/status/404?fail=1']
    const job = testJob(dir.file('a.zip'), paths.map(origin.url))
    await job.run({ order: { failOnUrlError: true } })
    expect(warningsOf(job)).toEqual(['HTML_INSTEAD', 'HTML_INSTEAD', 'failed'])
    expect(await job.run(failOnWarning)).toMatchObject({ status: 'completed', fileCount: 1 })
    expect(warningsOf(job)).toEqual(['failed', null, 'failed'])
    expect(await readZip(job.archivePath)).toMatchObject([{ name: 'w.pdf' }])
  })
})
