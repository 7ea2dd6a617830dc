import { anySignal } from './any-signal.ts'
import { download, type ReceivedPart } from './download.ts'
import { fetchResponse, readJsonBody } from './fetch-response.ts'
import { followJob, type JobEvent } from './follow-job.ts'
import { HoldallError } from './holdall-error.ts'
import { readLines } from './read-lines.ts'
import { openReconnects, RECONNECT_TIMES } from './reconnects.ts'
import type {
  CreatedJob,
  CreatedNotifier,
  CreatedSchedule,
  Hint,
  Job,
  JobChanges,
  JobListItem,
  JobQuery,
  JobSources,
  ListedSchedule,
  ListedSite,
  ManifestLine,
  NewJob,
  NewNotifier,
  NewSchedule,
  NewSite,
  Notifier,
  NotifierChanges,
  PageLinks,
  PageMeta,
  PageQuery,
  ProbeResult,
  RetryOptions,
  Schedule,
  ScheduleChanges,
  ScheduleRun,
  Site,
  SiteChanges,
} from './types.ts'

export type { ReceivedPart } from './download.ts'
export type { JobEvent } from './follow-job.ts'
export { HoldallError, type HoldallErrorCode } from './holdall-error.ts'
export type * from './types.ts'

/** A service, and the user that the key belongs to. Every function throws a {@link HoldallError} when it fails. */
export interface HoldallClient {
  /**
   * Creates a job, and returns its id as soon as the job is `pending`, with `hints` about what was ignored.
   * @param job `urls`, or `files` with names in the ZIP; and settings, as in `{ zip_filename: 'pages', expires_in: 3600 }`
   * @throws HoldallError `INVALID_REQUEST` with `issues`, `PLAN_LIMIT_EXCEEDED`, `QUOTA_EXCEEDED`
   */
  createJob(job: NewJob, options?: RequestOptions): Promise<CreatedJob>
  /** Returns a job: its status, its errors, and its `download_url` once it is completed. */
  getJob(id: string, options?: RequestOptions): Promise<Job>
  /**
   * Returns a page of jobs, newest first. For the next page, pass `meta.next_cursor` as `cursor`.
   * @param query at most `limit` jobs (1 to 100, otherwise 20), all of them with `status`
   */
  listJobs(query?: JobQuery, options?: RequestOptions): Promise<JobPage>
  /**
   * Yields a `snapshot` of a job, its `progress` and each `entry` as they change, and at last its `end`, when it is
   * `completed` or `failed`. When the connection breaks, another `snapshot` follows over a new one. Throws when the service
   * is unreachable for about two minutes, and `NOT_FOUND` when the job is deleted.
   */
  followJob(id: string, options?: RequestOptions): AsyncGenerator<JobEvent, void>
  /** Waits until a job is `completed` or `failed`, over the same stream, and returns it. */
  waitForJob(id: string, options?: RequestOptions): Promise<Job>
  /** Renames the ZIP of a job (`zip_filename`), or keeps it for `expires_in` seconds from now. Returns the changed job. */
  changeJob(id: string, changes: JobChanges, options?: RequestOptions): Promise<Job>
  /** Stops a pending or processing job, which becomes `failed` with `CANCELLED`. A retry can resume it. */
  cancelJob(id: string, options?: RequestOptions): Promise<void>
  /**
   * Starts a failed job again, from what it has fetched unless `from_checkpoint` is false. Of a completed job, `replace` gives new
   * URLs for those with a warning: a new job copies the rest out of its archive.
   * @param retry `skip_failed` continues without the URLs that failed; `replace` gives new URLs for them
   * @returns the id of the job that runs
   */
  retryJob(id: string, retry?: RetryOptions, options?: RequestOptions): Promise<string>
  /**
   * Yields where each file of the archive of a completed job came from, with its SHA-256, in URL order.
   * @throws HoldallError `NOT_FOUND` unless the job was created with `manifest: true` and is completed
   */
  readManifest(id: string, options?: RequestOptions): AsyncGenerator<ManifestLine, void>
  /** Deletes a job and its archive. Cancels it first if needed. */
  deleteJob(id: string, options?: RequestOptions): Promise<void>
  /**
   * Saves headers that each job sends to an origin, and to no other: `{ origin: 'https://example.org', headers: [{ name, value }] }`.
   * Nothing returns the values.
   * @throws HoldallError `INVALID_REQUEST` with `issues`, `PLAN_LIMIT_EXCEEDED`; `FORBIDDEN` when somebody else than the owner shares it
   */
  createSite(site: NewSite, options?: RequestOptions): Promise<Site>
  /** Returns a page of sites, newest first: the user's, and of those that the owner shares only name and origin. */
  listSites(query?: PageQuery, options?: RequestOptions): Promise<SitePage>
  /** Changes a site. With another `origin`, or to turn on `include_subdomains` or `shared`, give its `headers` anew. */
  changeSite(id: string, changes: SiteChanges, options?: RequestOptions): Promise<Site>
  deleteSite(id: string, options?: RequestOptions): Promise<void>
  /**
   * Packs a list again and again: `{ name, urls, every: 'day', time_zone: 'Europe/Berlin' }`, or with `files`, or a `page` whose links
   * are the list. Each run copies from the newest archive what its sources confirm.
   * @throws HoldallError `INVALID_REQUEST` with `issues`, `PLAN_LIMIT_EXCEEDED`
   */
  createSchedule(schedule: NewSchedule, options?: RequestOptions): Promise<CreatedSchedule>
  /** Returns a schedule with its list, its newest run and its `latest_url`. */
  getSchedule(id: string, options?: RequestOptions): Promise<Schedule>
  /** Returns a page of schedules, newest first, without their lists. */
  listSchedules(query?: PageQuery, options?: RequestOptions): Promise<SchedulePage>
  /** Changes a schedule; `{ status: 'paused' }` pauses it, `{ status: 'active' }` resumes it. */
  changeSchedule(id: string, changes: ScheduleChanges, options?: RequestOptions): Promise<Schedule>
  /** Deletes a schedule. Its archives stay as long as the plan keeps any. */
  deleteSchedule(id: string, options?: RequestOptions): Promise<void>
  /**
   * Begins a run now, and returns the id of its job.
   * @throws HoldallError what `createJob` throws; `INVALID_REQUEST` while a run is under way, `PAGE_NOT_FETCHED`
   */
  runSchedule(id: string, options?: RequestOptions): Promise<string>
  /** Returns a page of the runs of a schedule, newest first, with what each has changed. */
  listRuns(id: string, query?: PageQuery, options?: RequestOptions): Promise<RunPage>
  /**
   * Tells a person, or a program, when jobs end: `{ kind: 'email', to }`, `{ kind: 'ntfy', url, token }` or `{ kind: 'webhook', url }`,
   * each with `on` for less than everything. Only this returns the `secret` of a webhook; nothing returns a token.
   * @throws HoldallError `INVALID_REQUEST` with `issues`, `PLAN_LIMIT_EXCEEDED`
   */
  createNotifier(notifier: NewNotifier, options?: RequestOptions): Promise<CreatedNotifier>
  /** Returns a page of notifiers, newest first, and the kinds that the service can send. */
  listNotifiers(query?: PageQuery, options?: RequestOptions): Promise<NotifierPage>
  /** Changes a notifier. With another `url` of an ntfy topic, give its `token` anew. */
  changeNotifier(id: string, changes: NotifierChanges, options?: RequestOptions): Promise<Notifier>
  /** Sends a test soon, at most ten times per minute. */
  testNotifier(id: string, options?: RequestOptions): Promise<void>
  deleteNotifier(id: string, options?: RequestOptions): Promise<void>
  /**
   * Downloads the archive of a completed job. The body is a stream, which continues over a new connection when one breaks.
   * To resume a download of an earlier process, pass the number of its bytes and its `etag` as `received`: status 206 means
   * that the body continues after them, and 200 that the archive has changed and begins anew.
   * @param job with a `download_url`, which also works without a key
   * @throws HoldallError `NO_ARCHIVE`, `EXPIRED_TOKEN`; the body fails with the same, and with `PRECONDITION_FAILED` when the
   * archive changes during the download
   */
  download(job: Job, options?: DownloadOptions): Promise<Response>
  /**
   * Returns the links of a web page, a feed, a sitemap or a listing of a directory, each with the name and the kind of its file. With
   * `folders`, those of the folders of a listing, too. No script is run.
   * @throws HoldallError `PAGE_NOT_FETCHED` with the reason, `PAYLOAD_TOO_LARGE` for more than 10 MB
   */
  findLinks(url: string, options?: FindLinksOptions): Promise<PageLinks>
  /**
   * Yields what each URL would bring, as soon as its host has answered: its status, its size, its name and what looks wrong. Nothing is
   * packed. Stop reading, or abort the signal, to end it.
   */
  probe(sources: JobSources, options?: RequestOptions): AsyncGenerator<ProbeResult, void>
}

export interface ClientOptions {
  /** Where the service is, as in `http://127.0.0.1:8420`. In a page of another origin, a browser refuses requests to it. */
  readonly url: string
  /** An API key, as `holdall key create` prints it. */
  readonly key: string
}

export interface RequestOptions {
  /** Ends the request. The function then throws the reason of the signal. */
  readonly signal?: AbortSignal
}

export interface FindLinksOptions extends RequestOptions {
  readonly folders?: boolean
}

export interface DownloadOptions extends RequestOptions {
  readonly received?: ReceivedPart
}

export interface JobPage {
  readonly jobs: readonly JobListItem[]
  readonly meta: PageMeta
}

export interface SitePage {
  readonly sites: readonly ListedSite[]
  readonly meta: PageMeta
}

export interface SchedulePage {
  readonly schedules: readonly ListedSchedule[]
  readonly meta: PageMeta
}

export interface RunPage {
  readonly runs: readonly ScheduleRun[]
  readonly meta: PageMeta
}

export interface NotifierPage {
  readonly notifiers: readonly Notifier[]
  readonly kinds: readonly Notifier['kind'][]
  readonly meta: PageMeta
}

/** Returns a client of a service. It sends nothing yet. */
export function createHoldallClient({ url, key }: ClientOptions): HoldallClient {
  const base = url.replace(/\/+$/, '')

  function send(method: string, path: string, { signal, accept, body }: Sent): Promise<Response> {
    const headers = new Headers({ authorization: `Bearer ${key}`, accept: accept ?? 'application/json' })
    if (body !== undefined) headers.set('content-type', 'application/json')
    return fetchResponse(base + path, {
      method,
      headers,
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async function sendForJson<T>(method: string, path: string, sent: Sent): Promise<T> {
    return readJsonBody(await send(method, path, sent), sent.signal)
  }

  const client: HoldallClient = {
    async createJob(job, options) {
      const { job_id, hints = [] } = await sendForJson<{ job_id: string; hints?: readonly Hint[] }>(
        'POST',
        '/jobs',
        { ...options, body: job },
      )
      return { id: job_id, hints }
    },
    async getJob(id, options = {}) {
      const { job } = await sendForJson<{ job: Job }>('GET', jobPath(id), options)
      return job
    },
    listJobs: (query = {}, options = {}) => sendForJson<JobPage>('GET', `/jobs?${queryText(query)}`, options),
    followJob(id, { signal } = {}) {
      const openStream = (closed: AbortSignal) =>
        send('GET', `${jobPath(id)}/events`, {
          signal: anySignal(signal, closed),
          accept: 'text/event-stream',
        })
      return followJob(openStream, openReconnects(signal, RECONNECT_TIMES))
    },
    async waitForJob(id, options) {
      for await (const event of client.followJob(id, options)) if (event.name === 'end') return event.data
      throw new Error('A stream of events ends with `end` or throws.')
    },
    async changeJob(id, changes, options) {
      const { job } = await sendForJson<{ job: Job }>('PATCH', jobPath(id), { ...options, body: changes })
      return job
    },
    async cancelJob(id, options = {}) {
      await sendForJson('POST', `${jobPath(id)}/cancel`, options)
    },
    async retryJob(id, retry = {}, options) {
      const sent = { ...options, body: retry }
      const { job_id } = await sendForJson<{ job_id: string }>('POST', `${jobPath(id)}/retry`, sent)
      return job_id
    },
    readManifest(id, { signal } = {}) {
      return readLines<ManifestLine>((closed) =>
        send('GET', `${jobPath(id)}/manifest`, {
          signal: anySignal(signal, closed),
          accept: 'application/x-ndjson',
        }),
      )
    },
    async deleteJob(id, options = {}) {
      await sendForJson('DELETE', jobPath(id), options)
    },
    async createSite(site, options) {
      const created = await sendForJson<{ site: Site }>('POST', '/sites', { ...options, body: site })
      return created.site
    },
    listSites: (query = {}, options = {}) =>
      sendForJson<SitePage>('GET', `/sites?${queryText(query)}`, options),
    async changeSite(id, changes, options) {
      const { site } = await sendForJson<{ site: Site }>('PATCH', sitePath(id), { ...options, body: changes })
      return site
    },
    async deleteSite(id, options = {}) {
      await sendForJson('DELETE', sitePath(id), options)
    },
    async createSchedule(schedule, options) {
      const sent = { ...options, body: schedule }
      const created = await sendForJson<{ schedule: Schedule; hints?: readonly Hint[] }>(
        'POST',
        '/schedules',
        sent,
      )
      return { ...created.schedule, hints: created.hints ?? [] }
    },
    async getSchedule(id, options = {}) {
      return (await sendForJson<{ schedule: Schedule }>('GET', schedulePath(id), options)).schedule
    },
    listSchedules: (query = {}, options = {}) =>
      sendForJson<SchedulePage>('GET', `/schedules?${queryText(query)}`, options),
    async changeSchedule(id, changes, options) {
      const sent = { ...options, body: changes }
      return (await sendForJson<{ schedule: Schedule }>('PATCH', schedulePath(id), sent)).schedule
    },
    async deleteSchedule(id, options = {}) {
      await sendForJson('DELETE', schedulePath(id), options)
    },
    async runSchedule(id, options = {}) {
      return (await sendForJson<{ job_id: string }>('POST', `${schedulePath(id)}/run`, options)).job_id
    },
    listRuns: (id, query = {}, options = {}) =>
      sendForJson<RunPage>('GET', `${schedulePath(id)}/runs?${queryText(query)}`, options),
    async createNotifier(notifier, options) {
      const sent = { ...options, body: notifier }
      return (await sendForJson<{ notifier: CreatedNotifier }>('POST', '/notifiers', sent)).notifier
    },
    listNotifiers: (query = {}, options = {}) =>
      sendForJson<NotifierPage>('GET', `/notifiers?${queryText(query)}`, options),
    async changeNotifier(id, changes, options) {
      const sent = { ...options, body: changes }
      return (await sendForJson<{ notifier: Notifier }>('PATCH', notifierPath(id), sent)).notifier
    },
    async testNotifier(id, options = {}) {
      await sendForJson('POST', `${notifierPath(id)}/test`, options)
    },
    async deleteNotifier(id, options = {}) {
      await sendForJson('DELETE', notifierPath(id), options)
    },
    async download({ download_url, failure, status }, { received, signal } = {}) {
      if (download_url === undefined) {
        throw new HoldallError('NO_ARCHIVE', failure?.message ?? `The job has no archive: it is ${status}.`)
      }
      return download(download_url, received, signal, openReconnects(signal, RECONNECT_TIMES))
    },
    findLinks(url, { folders = false, ...options } = {}) {
      return sendForJson<PageLinks>('POST', '/links', { ...options, body: { url, folders } })
    },
    probe(sources, { signal } = {}) {
      return readLines<ProbeResult>((closed) =>
        send('POST', '/probe', {
          signal: anySignal(signal, closed),
          accept: 'application/x-ndjson',
          body: sources,
        }),
      )
    },
  }
  return client
}

interface Sent extends RequestOptions {
  readonly accept?: string
  readonly body?: unknown
}

function queryText(query: object): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) text.set(name, `${value}`)
  return text.toString()
}

function notifierPath(id: string): string {
  return `/notifiers/${encodeURIComponent(id)}`
}

function sitePath(id: string): string {
  return `/sites/${encodeURIComponent(id)}`
}

function schedulePath(id: string): string {
  return `/schedules/${encodeURIComponent(id)}`
}

function jobPath(id: string): string {
  return `/jobs/${encodeURIComponent(id)}`
}
