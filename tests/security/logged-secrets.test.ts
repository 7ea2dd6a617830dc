import { expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { refusedUrl, startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'
import { untilDelivered } from '../support/webhooks.ts'

const origin = forFile(await startOrigin())

/** Adds secret credentials and a secret query to a URL. */
function withSecrets(text: string): string {
  const url = new URL(text)
  url.username = 'usersecret'
  url.password = 'passsecret'
  url.searchParams.set('signature', 'querysecret')
  return url.href
}

const FAILING = [
  refusedUrl(),
  'http://10.1.2.3/private',
  'http://nowhere.invalid/',
  'https://127.0.0.1:1/',
  ...['/status/404', '/status/503', '/garbage', '/redirect-loop', '/redirect/1?to=ftp://x/'].map(origin.url),
  ...['/bytes/5000?cut_at=100', '/bytes/5000?reset_at=100', '/encoded/gzip?corrupt=1'].map(origin.url),
].map(withSecrets)

const SECRETS = ['secret', 'hold_', 'whsec_', 'signature=']

test('the debug log contains no key, token, credential or query', async () => {
  await using service = await startService({ 'log-level': ['debug'], 'log-format': ['json'] })
  const { request } = service
  const done = await service.finishedJob([withSecrets(origin.url('/bytes/1000/a.bin'))], {
    fail_on_url_error: true,
  })
  const token = new URL(done.download_url).pathname.split('/').at(-1) ?? ''
  await Promise.all(
    [true, false].map((strict) => service.finishedJob(FAILING, { fail_on_url_error: strict })),
  )
  const { body } = await request('POST', '/api-keys', { body: { name: 'one' } })

  for (const path of [
    '/me',
    '/jobs',
    '/jobs/stats',
    `/jobs/${done.id}`,
    `/jobs/${done.id}/entries`,
    '/api-keys',
  ]) {
    await request('GET', path)
    await request('GET', path, { key: `${body.api_key.key}x` })
    await request('GET', `${path}?signature=querysecret`, { key: body.api_key.key })
  }
  for (const path of [
    `/download/${token}`,
    `/download/${token}x`,
    '/nothing/querysecret',
    '/jobs/querysecret',
  ]) {
    await fetch(service.origin + path)
    await fetch(service.origin + path, { method: 'PATCH' })
    await fetch(service.origin + path, { headers: { 'x-request-id': 'querysecret querysecret' } })
  }
  await request('POST', '/sign-in', { body: { token: 'tokensecret' }, key: null })
  await request('POST', '/jobs', {
    body: '{"urls": ["https://passsecret@host/?querysecret"',
    key: service.key,
  })
  await request('POST', '/jobs', { body: { urls: ['htp://passsecret@host/?querysecret'] } })
  await request('DELETE', `/api-keys/${body.api_key.id}`)
  await request('POST', `/jobs/${done.id}/cancel`)
  await request('DELETE', `/jobs/${done.id}`)
  const url = withSecrets(refusedUrl())
  const { webhook } = (await request('POST', '/webhooks', { body: { url } })).body
  await request('POST', `/webhooks/${webhook.id}/test`)
  await untilDelivered(service, webhook.id, service.key, 'failed')
  const { secret } = (await request('POST', `/webhooks/${webhook.id}/rotate`)).body.webhook
  await service.restart()

  const logged = service.logged.join('')
  expect(logged).toContain('a request was answered')
  expect(logged).toContain('job failed')
  expect(logged).toContain('a delivery was attempted')
  for (const text of [...SECRETS, token, service.key, body.api_key.key, webhook.secret, secret]) {
    expect(logged).not.toContain(text)
  }
}, 180_000)
