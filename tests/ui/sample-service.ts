import { type Client, signIn, signInOwner } from '../support/client.ts'
import { addUser, type Holdall, startHoldall } from '../support/executable.ts'
import { startFileSource } from '../support/file-source.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { samplePdf } from '../support/sample-pdf.ts'
import { startSite } from '../support/site.ts'

/** A service with an archive in every state and some keys. */
export interface SampleService extends AsyncDisposable {
  readonly holdall: Holdall
  readonly client: Client
  /** Where the sources of its archives are. */
  readonly origin: Origin
  /** The address of a page with links to files. */
  readonly listing: string
  /** A user without archives. */
  readonly newUser: Client
  /** The paths of the pages for somebody with the link to an archive. */
  readonly sharePaths: Readonly<Record<'ready' | 'check' | 'fixed' | 'running', string>>
  /** The id of an archive in each state. */
  readonly archives: Readonly<
    Record<'ready' | 'check' | 'fixed' | 'partial' | 'failed' | 'cancelled' | 'running' | 'waiting', string>
  >
}

/** @param originPort where the sources of its archives are served; the system chooses it by default */
export async function startSampleService(originPort?: number): Promise<SampleService> {
  await using stack = new AsyncDisposableStack()
  const origin = stack.use(await startOrigin('127.0.0.1', originPort))
  // Runs one job at a time, so that one job waits while another runs.
  const holdall = stack.use(await startHoldall({ args: ['--jobs', '1'] }))
  const client = await signInOwner(holdall)
  await createWebhooks(client, stack.use(startReceiver()))
  await createSites(client, origin)
  // Before the archives, which then are the newest.
  await createSchedules(client, origin)
  const archives = await createArchives(client, origin)
  const sharePathOf = async (id: string) => new URL((await client.getJob(id)).share_url ?? '').pathname
  const sharePaths = {
    ready: await sharePathOf(archives.ready),
    check: await sharePathOf(archives.check),
    fixed: await sharePathOf(archives.fixed),
    running: await sharePathOf(archives.running),
  }
  await createKeys(client)
  await createUsers(client)
  const newUser = await signIn(addUser(holdall, 'new-user'))
  const listing = stack.use(startSite({ '/reports': LISTING })).url('/reports')
  const parts = stack.move()
  return {
    holdall,
    client,
    origin,
    listing,
    newUser,
    sharePaths,
    archives,
    [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
  }
}

const LISTING = `<title>Reports of the northern branch</title><a href="r/2024.pdf">Report of 2024</a>
  <a href="r/2025.pdf">Report of 2025, with the appendices that were sent in late</a>
  <a href="r/figures.csv">Figures</a> <img src="logo.png" alt="Logo">`

/** Of the three, one is shared, and a source has refused one. */
async function createSites(client: Client, origin: Origin) {
  const basic = [{ name: 'Authorization', value: 'Basic YTpi' }]
  const cookie = [{ name: 'Cookie', value: 'session=a' }]
  const create = (site: object) => client.request('POST', '/sites', site)
  await create({ origin: 'https://wiki.example.org', headers: basic, name: 'Company wiki', shared: true })
  await create({
    origin: 'https://photos.example.net',
    headers: [...cookie, { name: 'X-Requested-With', value: 'XMLHttpRequest' }],
    name: 'Photo library',
    include_subdomains: true,
    expires_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  })
  // No archive has sources at this origin.
  const refused = origin.url('/status/401').replace('127.0.0.1', 'localhost')
  await create({ origin: new URL(refused).origin, headers: cookie, name: 'Invoices' })
  const id = await client.createJob({ urls: [refused] })
  await client.untilEnded(id)
  await client.request('DELETE', `/jobs/${id}`)
}

async function createArchives(client: Client, origin: Origin): Promise<SampleService['archives']> {
  const photos = Array.from({ length: 40 }, (_, index) =>
    origin.url(`/bytes/${1000 + ((index * 7919) % 900_000)}/photo-${index + 1}.jpg`),
  )
  const broken = [origin.url('/status/404'), origin.url('/status/403'), 'http://10.1.2.3/intranet.pdf']
  const createEnded = async (settings: Parameters<Client['createJob']>[0]) => {
    const id = await client.createJob(settings)
    await client.untilEnded(id)
    return id
  }

  const wrong = ['/behind-sign-in/contract.pdf', '/empty/minutes.docx', '/page/annual-report-2024.pdf']
  const check = await createEnded({
    urls: [...photos.slice(0, 9), ...wrong.map(origin.url)],
    zip_filename: 'board-meeting',
  })
  const ready = await createEnded({
    urls: photos,
    zip_filename: 'summer-photos',
    metadata: { customer: 'Lighthouse', order: '2107' },
  })
  const fixed = await createFixed(client)
  const partial = await createEnded({
    urls: [...photos.slice(0, 12), ...broken],
    zip_filename:
      'Quarterly reports of all branches, with the appendices that were sent in late, final version 3',
    fail_on_url_error: false,
    expires_in: 5_184_000,
  })
  const failed = await createEnded({ urls: [...photos.slice(0, 5), ...broken], zip_filename: 'press-kit' })
  const slow = photos.map((url, index) =>
    index < 20 ? url : origin.url(`/bytes/8000000/part-${index}.mp3?bytes_per_second=5000`),
  )
  const cancelled = await client.createJob({ urls: slow, zip_filename: 'old-site-backup' })
  await client.until(cancelled, ({ file_count }) => file_count > 0)
  await client.request('POST', `/jobs/${cancelled}/cancel`)
  await client.untilEnded(cancelled)
  const running = await client.createJob({ urls: slow, zip_filename: 'podcast-episodes' })
  await client.until(running, ({ file_count }) => file_count >= 20)
  const waiting = await client.createJob({ urls: photos, zip_filename: 'maps' })
  return { ready, check, fixed, partial, failed, cancelled, running, waiting }
}

/** An archive with folders and files that can be shown, which has replaced one in which a file was missing. */
async function createFixed(client: Client): Promise<string> {
  const contents = {
    'photos/morning.svg': { type: 'image/svg+xml', body: picture('#fde68a', '#f97316') },
    'photos/noon.svg': { type: 'image/svg+xml', body: picture('#bae6fd', '#0284c7') },
    'photos/by the sea/evening.svg': { type: 'image/svg+xml', body: picture('#c4b5fd', '#4c1d95') },
    'route.pdf': { type: 'application/pdf', body: samplePdf('') },
    'packing-list.txt': { type: 'text/plain', body: 'Rope\nLamp\nBread\n' },
    'recording.flac': { type: 'audio/flac', body: new Uint8Array(80_000) },
  }
  await using source = startFileSource(contents)
  const files = Object.keys(contents).map((filename, index) => ({ url: source.urls[index] ?? '', filename }))
  const create = async (settings: { files: object[]; replaces?: string }) => {
    const id = await client.createJob({ zip_filename: 'weekend-in-the-hills', ...settings })
    await client.untilEnded(id)
    return id
  }
  const replaces = await create({ files: files.slice(1) })
  return await create({ files, replaces })
}

function picture(sky: string, sun: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="420"><rect width="640" height="420" fill="${sky}"/>
<circle cx="420" cy="220" r="90" fill="${sun}"/><path d="M0 420 220 190 400 360 520 270 640 420Z" fill="#1e293b"/></svg>`
}

async function createKeys(client: Client): Promise<void> {
  const monthAhead = new Date(Date.now() + 30 * 86_400_000).toISOString()
  await client.request('POST', '/api-keys', { name: 'Nightly backup' })
  await client.request('POST', '/api-keys', { name: 'Build server', expires_at: monthAhead })
  await client.request('POST', '/api-keys', {
    name: 'A key whose name says at some length where it is used and whom to ask about it',
  })
}

/** One with a run, and one that is paused. */
async function createSchedules(client: Client, origin: Origin): Promise<void> {
  const urls = [origin.url('/bytes/100/prices.csv'), origin.url('/bytes/200/rates.csv')]
  const create = async (settings: object): Promise<string> => {
    const body = { time_zone: 'Europe/Berlin', urls, ...settings }
    return JSON.parse(await (await client.request('POST', '/schedules', body)).text()).schedule.id
  }
  const prices = await create({ name: 'Prices', every: { cron: '0 6 * * 1' } })
  await client.request('POST', `/schedules/${prices}/run`)
  const paused = await create({ name: 'Reports of the quarter', every: 'month' })
  await client.request('PATCH', `/schedules/${paused}`, { status: 'paused' })
}

async function createUsers(client: Client): Promise<void> {
  await client.request('POST', '/users', { name: 'Ada Lovelace', plan: 'free' })
  await client.request('POST', '/users', {
    name: 'The whole editorial department of the northern branch office',
  })
}

/** A topic, a webhook that accepts what is sent, and one that is disabled by the first message because its receiver responds 410. */
async function createWebhooks(client: Client, receiver: Receiver): Promise<void> {
  receiver.respond(({ path }) => new Response(null, { status: path.startsWith('/an-earlier') ? 410 : 204 }))
  for (const path of ['/an-earlier-warehouse-that-was-closed/messages-of-holdall/v1', '/warehouse'])
    await client.request('POST', '/webhooks', { url: receiver.url(path) })
  await client.request('POST', '/notifiers', {
    kind: 'ntfy',
    url: receiver.url('/holdall-of-the-office'),
    on: ['failed'],
  })
}
