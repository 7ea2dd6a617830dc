import { until } from '../until.ts'
import type { Stage } from './stage.ts'
import { RECEIVER, SERVICE, SOURCES } from './stage.ts'

/** Makes one call per operation, in an order in which each call finds what it needs. */
export async function callEveryOperation(stage: Stage): Promise<void> {
  await callServiceAndKeys(stage)
  await callJobs(stage)
  await callSchedules(stage)
  await callWebhooks(stage)
  await callNotifiers(stage)
  await callSites(stage)
  await callUsers(stage)
  await callService(stage)
  await callManifest(stage)
  await stage.call('INVALID_REQUEST', stage.send('POST', '/jobs', { urls: ['example.org/report.pdf'] }))
}

async function callServiceAndKeys({ call, get, send }: Stage): Promise<void> {
  await call('getHealth', `curl ${SERVICE}/health`)
  await call('getOpenapi', `curl ${SERVICE}/openapi.json | head -c 240`)
  await call('getMe', get('/me'))
  const { api_key } = await call('createApiKey', send('POST', '/api-keys', { name: 'Nightly report' }))
  await call('listApiKeys', get('/api-keys'))
  await call('revokeApiKey', send('DELETE', `/api-keys/${api_key.id}`))
}

async function callJobs(stage: Stage): Promise<void> {
  const { call, jobIn, get, send } = stage
  await call('findLinks', send('POST', '/links', { url: `${SOURCES}/reports/` }))
  const urls = [`${SOURCES}/report.pdf`, `${SOURCES}/prices.csv`]
  await call('probeUrls', send('POST', '/probe', { urls: urls.slice(0, 1) }))
  const { job_id } = await call('createJob', send('POST', '/jobs', { urls, zip_filename: 'reports' }))
  await jobIn(job_id, ['completed'])
  await call('followJob', get(`/jobs/${job_id}/events`))
  const { job } = await call('getJob', get(`/jobs/${job_id}`))
  await call('listEntries', get(`/jobs/${job_id}/entries`))
  await callDownloads(stage, job.download_url)

  const longer = send('PATCH', `/jobs/${job_id}`, { zip_filename: 'reports 2026', expires_in: 172_800 })
  await call('changeJob', longer)
  await callFollowJobs(stage, job_id)
  await call('listJobs', get('/jobs?status=completed&limit=1'))

  const slow = await stage.create('/jobs', { urls: [`${SOURCES}/film.mp4`] })
  await call('cancelJob', send('POST', `/jobs/${slow.job_id}/cancel`))
  const broken = await stage.create('/jobs', { urls: [...urls, `${SOURCES}/missing.pdf`] })
  await jobIn(broken.job_id, ['failed'])
  await call('countJobs', get('/jobs/stats'))
  await call('retryJob', send('POST', `/jobs/${broken.job_id}/retry`, { skip_failed: true }))
  await jobIn(broken.job_id, ['completed'])
  await call('deleteJob', send('DELETE', `/jobs/${broken.job_id}`))
}

async function callDownloads({ call }: Stage, downloadUrl: string): Promise<void> {
  await call('downloadArchive', `curl -C - -o reports.zip ${downloadUrl}`)
  await call('getSharedArchive', `curl ${downloadUrl}/archive`)
  await call('listSharedFiles', `curl '${downloadUrl}/entries?limit=2'`)
  await call('downloadSharedFile', `curl -o report.pdf ${downloadUrl}/entries/0`)
  await call('downloadSelection', `curl -o selection.zip '${downloadUrl}/selection?positions=0'`)
}

/** The stream has no end, so the call takes its first event, which is that of a change during it. */
async function callFollowJobs({ call, get, change }: Stage, jobId: string): Promise<void> {
  let hasEnded = false
  const following = call(
    'followJobs',
    `${get('/events').replace('curl', 'curl -N')} | grep -m 1 -A 1 '^event: job'`,
  )
  void following.finally(() => {
    hasEnded = true
  })
  const isFollowed = async () => {
    await change(`/jobs/${jobId}`, { expires_in: 172_800 })
    return hasEnded
  }
  await until('an event has come', isFollowed, { everyMs: 20 })
  await following
}

async function callSchedules({ call, jobIn, get, send }: Stage): Promise<void> {
  const { schedule } = await call(
    'createSchedule',
    send('POST', '/schedules', {
      name: 'Prices',
      urls: [`${SOURCES}/prices.csv`],
      every: 'day',
      time_zone: 'UTC',
    }),
  )
  const path = `/schedules/${schedule.id}`
  const { job_id } = await call('runSchedule', send('POST', `${path}/run`))
  await jobIn(job_id, ['completed'])
  await call('listRuns', get(`${path}/runs`))
  await call('getSchedule', get(path))
  await call('listSchedules', get('/schedules'))
  await call('changeSchedule', send('PATCH', path, { status: 'paused' }))
  await call('deleteSchedule', send('DELETE', path))
}

async function callWebhooks({ call, untilDelivered, get, send }: Stage): Promise<void> {
  const { webhook } = await call(
    'createWebhook',
    send('POST', '/webhooks', { url: `${RECEIVER}/holdall`, events: ['job.failed'] }),
  )
  const path = `/webhooks/${webhook.id}`
  await call('getWebhook', get(path))
  await call('listWebhooks', get('/webhooks'))
  await call('rotateWebhookSecret', send('POST', `${path}/rotate`))
  const { delivery } = await call('testWebhook', send('POST', `${path}/test`))
  await untilDelivered(`${path}/deliveries`)
  await call('listWebhookDeliveries', get(`${path}/deliveries`))
  await call('redeliver', send('POST', `${path}/deliveries/${delivery.id}/redeliver`))
  await untilDelivered(`${path}/deliveries`)
  await call('deleteWebhook', send('DELETE', path))
}

async function callNotifiers({ call, untilDelivered, get, send }: Stage): Promise<void> {
  const { notifier } = await call(
    'createNotifier',
    send('POST', '/notifiers', { kind: 'ntfy', url: `${RECEIVER}/holdall`, on: ['failed'] }),
  )
  const path = `/notifiers/${notifier.id}`
  await call('getNotifier', get(path))
  await call('listNotifiers', get('/notifiers'))
  await call('changeNotifier', send('PATCH', path, { on: ['changed', 'failed'] }))
  const { delivery } = await call('testNotifier', send('POST', `${path}/test`))
  await untilDelivered(`${path}/deliveries`)
  await call('listNotifierDeliveries', get(`${path}/deliveries`))
  await call('redeliverToNotifier', send('POST', `${path}/deliveries/${delivery.id}/redeliver`))
  await untilDelivered(`${path}/deliveries`)
  await call('deleteNotifier', send('DELETE', path))
}

async function callSites({ call, get, send }: Stage): Promise<void> {
  const { site } = await call(
    'createSite',
    send('POST', '/sites', {
      origin: 'https://files.example.org',
      name: 'Company files',
      headers: [{ name: 'Authorization', value: 'Bearer the-token' }],
    }),
  )
  await call('listSites', get('/sites'))
  await call('changeSite', send('PATCH', `/sites/${site.id}`, { name: 'Files of the company' }))
  await call('deleteSite', send('DELETE', `/sites/${site.id}`))
}

async function callUsers({ call, get, send }: Stage): Promise<void> {
  const { user } = await call('createUser', send('POST', '/users', { name: 'anna', plan: 'free' }))
  const path = `/users/${user.id}`
  const { url } = await call('createSignInLink', send('POST', `${path}/sign-in-link`))
  const token = new URL(url).hash.slice(1)
  const { api_key } = await call('signIn', `curl ${SERVICE}/sign-in --json '{ "token": "${token}" }'`)
  await call('signOut', send('DELETE', '/sign-in'), api_key.key)
  await call('changeUser', send('PATCH', path, { plan: 'pro' }))
  await call('listUsers', get('/users'))
  await call('deleteUser', send('DELETE', path))
}

async function callService({ call, change, settingsCode, get, send }: Stage): Promise<void> {
  await call('getService', get('/service'))
  await call('getMetrics', `curl ${SERVICE}/metrics | grep '^holdall_jobs'`)
  await call('changeSettings', send('PATCH', '/service/settings', { limit_rate: 20_000_000 }))
  await call('getSettings', get('/service/settings'))
  await change('/service/settings', { base_url: SERVICE, code: settingsCode() })
  await call('checkBaseUrl', send('POST', '/service/settings/check-base-url'))
}

/** Comes last: the size of its archive, in which the lines are compressed, depends on the port of the sources. */
async function callManifest({ call, jobIn, create, get }: Stage): Promise<void> {
  const { job_id } = await create('/jobs', { urls: [`${SOURCES}/report.pdf`], manifest: true })
  await jobIn(job_id, ['completed'])
  await call('getManifest', get(`/jobs/${job_id}/manifest`))
}
