import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenapiDocument } from '../../server/http/docs/openapi.ts'
import { openEventStream } from '../support/event-stream.ts'
import { forFile } from '../support/for-file.ts'
import { runCommand } from '../support/holdall-command.ts'
import { startOrigin } from '../support/origin.ts'
import { startReceiver } from '../support/receiver.ts'
import { FAULTY_WORKER_FILES, startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { createWebhook } from '../support/webhooks.ts'

// One service does with a secret everything that it can do. Then each of its exits is searched for the secret.

/** In the headers of a site, of a shared one, and of jobs. */
const MARKER = `MARKER-${crypto.randomUUID()}`
const FORMS = [MARKER, btoa(MARKER).replace(/=+$/, ''), Buffer.from(MARKER).toString('hex')]

const origin = forFile(await startOrigin('0.0.0.0'))
const otherPort = forFile(await startOrigin())
const receiver = forFile(startReceiver())
const service = forFile(
  await startService({ 'log-level': ['debug'], 'log-format': ['json'] }, FAULTY_WORKER_FILES),
)
const colleague = await service.addUser('colleague')
const answers: string[] = []
const events: string[] = []

const ownOrigin = new URL(origin.url('/')).origin
const headers = [
  { name: 'Authorization', value: `Bearer ${MARKER}` },
  { name: 'Cookie', value: `session=${MARKER}` },
]
await createWebhook(service, receiver.url(), service.key)
await createWebhook(service, receiver.url(), colleague)
const site = await answered('POST', '/sites', { body: { origin: ownOrigin, headers } })
await answered('POST', '/sites', {
  body: { origin: origin.urlAtHost(2, ''), headers, shared: true },
})
await answered('PATCH', `/sites/${site.site.id}`, { body: { headers } })
await answered('PATCH', `/sites/${site.site.id}`, { body: { origin: 'https://a.org' } })
await answered('POST', '/sites', { body: { origin: 'x', headers: [{ name: 'Host', value: MARKER }] } })
await answered('POST', '/sites', { body: `{"origin": "https://a.org", "headers": "${MARKER}", }` })
await answered('POST', '/jobs', { body: { urls: ['x'], headers: [{ origin: 'x', headers }] } })

const elsewhere = new URLSearchParams({ to: otherPort.url('/ok/elsewhere') })
const FAILING = [
  ...['/status/401', '/status/403', '/status/404', '/garbage', '/redirect-loop'].map(origin.url),
  ...['/encoded/gzip?corrupt=1', '/redirect/1?to=ftp://x/'].map(origin.url),
]
const WORKING = [
  origin.url(`/redirect/1?${elsewhere}`),
  origin.url('/bytes/700000/a.bin?cut_at=300000&times=1'),
  origin.url('/ok/b'),
]
const jobHeaders = [{ origin: ownOrigin, headers: [{ name: 'X-Key', value: MARKER }] }]
const settings = { headers: jobHeaders, fail_on_url_error: false, metadata: { a: 'b' } }
const crashing = [origin.url('/bytes/100?bytes_per_second=100&fault=throw-1-20')]
const done = await service.finishedJob([...WORKING, ...FAILING], settings)
const failed = await service.finishedJob(FAILING, settings)
const crashed = await service.finishedJob(crashing, settings)
const based = await service.finishedJob(WORKING, {
  ...settings,
  base: { job_id: done.id, reuse: 'unchanged' },
})
const ofColleague = await service.finishedJob(
  [origin.urlAtHost(2, '/ok/c'), origin.urlAtHost(2, '/status/401')],
  { fail_on_url_error: false },
  colleague,
)
const liveList = new AbortController()
const streamed = collect(`${service.origin}/events`, liveList.signal)
await answered('POST', `/jobs/${failed.id}/retry`)
await service.jobIn(failed.id, ['failed'])
for (const job of [done, failed, crashed, based]) {
  await using stream = await openEventStream(`${service.origin}/jobs/${job.id}/events`, service.key)
  events.push(...(await stream.rest()).map((event) => JSON.stringify(event)))
}
for (const url of [...WORKING, ...FAILING]) await answered('POST', '/links', { body: { url } })
answers.push(await textOf('/probe', { urls: [...WORKING, ...FAILING] }))
await receiver.untilReceived(6)
liveList.abort()
await streamed

test('The headers of a user are sent to their origin, so that there is something to find', () => {
  const sent = origin.requests('/ok/b').map((request) => [...request.headers.values()].join())
  expect(sent.length).toBeGreaterThan(0)
  // Those of the site; a job has one more of its own.
  expect(new Set(sent.map((text) => text.split(MARKER).length - 1))).toEqual(new Set([2, 3]))
  expect(origin.requests('/ok/c').map((request) => request.headers.get('cookie'))).toEqual([
    `session=${MARKER}`,
  ])
})

test('No other origin gets the value of a header of a user', () => {
  const requests = otherPort.requests('/ok/elsewhere')
  expect(requests.length).toBeGreaterThan(0)
  expectClean(JSON.stringify(requests.map((request) => [...request.headers])))
})

test('The log at debug does not have the value of a header of a user', () => {
  expect(service.logged.join('')).toContain('a request was answered')
  expectClean(service.logged.join(''))
})

test('The report of a crash does not have the value of a header of a user', () => {
  expect(service.logged.join('')).toContain('a fault on purpose')
  expectClean(service.logged.filter((line) => line.includes('crash')).join(''))
})

test('No answer and no error has the value of a header of a user, whoever asks', async () => {
  const { paths }: OpenapiDocument = (await service.request('GET', '/openapi.json')).body
  const token = new URL(done.download_url).pathname.split('/').at(-1) ?? ''
  const { webhooks } = (await service.request('GET', '/webhooks')).body
  const read: string[] = []
  for (const template of Object.keys(paths).filter((path) => paths[path]?.get !== undefined)) {
    // This stream never ends, and the events above are of it.
    if (template === '/events') continue
    const ids = template.startsWith('/webhooks')
      ? [webhooks[0].id]
      : [done.id, failed.id, crashed.id, ofColleague.id]
    for (const id of ids) {
      const path = template.replace('{id}', id).replace('{token}', token).replace('{position}', '0')
      for (const key of [service.key, colleague]) {
        const response = await fetch(service.origin + path, { headers: { authorization: `Bearer ${key}` } })
        answers.push(`${path} ${JSON.stringify([...response.headers])} ${await response.text()}`)
      }
    }
    read.push(template)
  }
  expect(read).toContain('/jobs/{id}/entries')
  expect(read).toContain('/metrics')
  expectClean(answers.join('\n'))
})

test('No event has the value of a header of a user', () => {
  expect(events.length).toBeGreaterThan(5)
  expectClean(events.join('\n'))
})

test('No entry has the value of a header of a user', async () => {
  const { body } = await service.request('GET', `/jobs/${done.id}/entries?limit=100`)
  expect(body.entries).toHaveLength(WORKING.length + FAILING.length)
  expectClean(JSON.stringify(body))
})

test('No webhook has the value of a header of a user', () => {
  expect(receiver.received.map(({ body }) => body).join()).toContain('job.completed')
  expectClean(JSON.stringify(receiver.received))
})

test('The share page does not have the value of a header of a user', async () => {
  const page = await fetch(done.share_url)
  expectClean(`${JSON.stringify([...page.headers])} ${await page.text()}`)
})

test('Metrics do not have the value of a header of a user', async () => {
  expectClean(await (await fetch(`${service.origin}/metrics`)).text())
})

test('An archive does not have the value of a header of a user', async () => {
  expectClean(Buffer.from(await (await fetch(done.download_url)).bytes()))
})

test('A backup and its list do not have the value of a header of a user, which is sealed in its column', async () => {
  using dir = tempDir()
  const { stdout, stderr, exitCode } = await runCommand([
    'backup',
    dir.file('b.tar'),
    '--data',
    service.dataDir,
  ])
  expect([exitCode, stderr]).toEqual([0, ''])
  expectClean(stdout)
  expectClean(readFileSync(dir.file('b.tar')))
})

test('No file of the service has the value of a header of a user', () => {
  const files = readdirSync(service.dataDir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(service.dataDir, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
  expect(files.some((path) => path.endsWith('holdall.db'))).toBe(true)
  for (const path of files) expectClean(readFileSync(path), path)
})

test('No command line of this machine has the value of a header of a user', async () => {
  // In the executable, too, an order reaches the job's thread by a message, and there is no other process.
  expectClean(await Bun.$`ps axww -o args`.text())
})

/** Reads a stream of events until it is aborted. */
async function collect(url: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${service.key}` }, signal })
  try {
    for await (const piece of response.body ?? []) events.push(Buffer.from(piece).toString())
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function answered(method: string, path: string, options: Parameters<typeof service.request>[2] = {}) {
  const { body, status } = await service.request(method, path, options)
  answers.push(`${status} ${JSON.stringify(body)}`)
  return body
}

/** The lines of a response. */
async function textOf(path: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
  const response = await fetch(service.origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return await response.text()
}

function expectClean(content: string | Buffer, what = 'it') {
  const bytes = Buffer.from(content)
  for (const form of FORMS) expect([what, bytes.includes(form)]).toEqual([what, false])
}
