import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { startProxy } from '../support/proxy.ts'
import { startService } from '../support/service.ts'

const origin = forFile(await startOrigin())
const LOGIN = 'ann:s3cret'

test('A service fetches sources through its proxy, and the password reaches nothing but the proxy', async () => {
  const hosts = { 'files.test:80': new URL(origin.url('/')).host }
  await using proxy = await startProxy({ hosts, login: LOGIN, refused: { 'shut.test:443': 403 } })
  const settings = { proxy: [`http://${LOGIN}@${proxy.host}`], 'log-level': ['debug'] }
  await using service = await startService(settings)
  const urls = ['http://files.test/bytes/10/a.bin', 'https://shut.test/b.bin']
  const job = await service.finishedJob(urls, { fail_on_url_error: false })
  expect(job).toMatchObject({
    status: 'completed',
    file_count: 1,
    errors: [{ url: 'https://shut.test/b.bin', error: 'Proxy refused' }],
  })
  expect(
    proxy.requests.every(({ headers }) => headers['proxy-authorization'] === `Basic ${btoa(LOGIN)}`),
  ).toBe(true)
  expect(origin.requests('/bytes/10/a.bin')[0]?.headers.has('proxy-authorization')).toBe(false)
  const log = service.logged.join('\n')
  expect(log).toContain(`the proxy http://${proxy.host} did not connect to a host (HTTP 403)`)
  for (const secret of ['s3cret', btoa(LOGIN)]) {
    expect(log).not.toContain(secret)
    expect(JSON.stringify(job)).not.toContain(secret)
  }
})

describe('A look before the start tells the user, and the log, when the proxy', () => {
  test('refuses', async () => {
    await using proxy = await startProxy({ refused: { 'shut.test:443': 403 } })
    await expectProxyProblem(proxy.host, 'https://shut.test/', [
      'Proxy refused',
      'did not connect to a host (HTTP 403)',
    ])
  })

  test('can’t be reached', async () => {
    await expectProxyProblem('127.0.0.1:1', 'http://files.test/', [
      'Connection failed',
      'cannot be reached (ECONNREFUSED)',
    ])
  })

  async function expectProxyProblem(host: string, url: string, [error, problem]: readonly [string, string]) {
    await using service = await startService({ proxy: [`http://${LOGIN}@${host}`] })
    const page = await service.request('POST', '/links', { body: { url } })
    expect([page.status, page.body.error.message]).toEqual([
      422,
      `The page can’t be looked into: ${error}. The proxy ${problem}.`,
    ])
    const probed = await service.request('POST', '/probe', { body: { urls: [url] } })
    expect(probed.body).toMatchObject({ status: null, error })
    const log = service.logged.join('\n')
    expect(log.split(`the proxy http://${host} ${problem}`)).toHaveLength(3)
    expect(JSON.stringify([page.body, probed.body]) + log).not.toContain('s3cret')
  }
})
