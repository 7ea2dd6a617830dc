import { describe, expect, test } from 'bun:test'
import { archivesIn } from '../support/archives-in.ts'
import { connectTo } from '../support/connection.ts'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { startService, type TestService } from '../support/service.ts'

const origin = forFile(await startOrigin())

const finished = (service: TestService) => service.finishedJob([origin.url('/files/report.pdf')])
const pathOf = (url: string) => new URL(url).pathname

describe('download_url is absolute', () => {
  test('and starts with the configured base URL', async () => {
    await using service = await startService({ 'base-url': ['https://zip.example.com/holdall/'] })
    const job = await finished(service)
    expect(job.download_url).toStartWith('https://zip.example.com/holdall/download/')
    const path = pathOf(job.download_url).replace('/holdall', '')
    expect((await fetch(service.origin + path)).status).toBe(200)
  })

  test('and starts with the origin of the request if no base URL is configured', async () => {
    await using service = await startService()
    const { id } = await finished(service)
    const urlFor = async (headers: Record<string, string>) =>
      (await service.request('GET', `/jobs/${id}`, { headers })).body.job.download_url
    expect(await urlFor({ host: 'zip.example.com:8420' })).toStartWith(
      'http://zip.example.com:8420/download/',
    )
    // Any client can send the headers of a proxy.
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    expect(await urlFor(forged)).toStartWith(`${service.origin}/download/`)
  })

  test('and starts with the origin that a trusted proxy forwards', async () => {
    await using service = await startService({ 'trust-proxy': ['127.0.0.0/8'] })
    const { id } = await finished(service)
    const headers = { 'x-forwarded-host': 'zip.example.com', 'x-forwarded-proto': 'https' }
    const { body } = await service.request('GET', `/jobs/${id}`, { headers })
    expect(body.job.download_url).toStartWith('https://zip.example.com/download/')
  })
})

describe('4.8: a download token', () => {
  test('signed with an older secret works as long as that secret is kept', async () => {
    await using service = await startService()
    const file = `${service.dataDir}/signing-secrets.json`
    const job = await finished(service)
    const older = pathOf(job.download_url)
    const [first] = await Bun.file(file).json()
    const second = { id: '00ff00', secret: 'ab'.repeat(32) }

    await Bun.write(file, JSON.stringify([first, second]))
    await service.restart()
    const newer = pathOf((await service.request('GET', `/jobs/${job.id}`)).body.job.download_url)
    expect(newer).not.toBe(older)
    const open = (path: string) => fetch(service.origin + path)
    const answers = await Promise.all([open(older), open(newer)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)

    await Bun.write(file, JSON.stringify([second]))
    await service.restart()
    const refused = await open(older)
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('INVALID_TOKEN')])
    expect((await open(newer)).status).toBe(200)
  })
})

describe('4.8: a download', () => {
  const SIZE_BYTES = 32 * 1024 * 1024

  test.each([
    [
      'expires',
      async (service: TestService, job: { expires_at: string }) => {
        service.advance(86_400_000)
        await service.app.sweeper.sweep(Date.parse(job.expires_at))
      },
    ],
    [
      'is deleted',
      async (service: TestService, job: { id: string }) => {
        await service.request('DELETE', `/jobs/${job.id}`)
      },
    ],
  ])('that has started before its archive %s completes', async (_what, end) => {
    await using service = await startService()
    const job = await service.finishedJob([origin.url(`/bytes/${SIZE_BYTES}/large.bin`)])
    using connection = await connectTo(service.origin)
    await connection.send(`GET ${pathOf(job.download_url)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await connection.until(/\r\n\r\n/)
    connection.pause()
    await end(service, job)
    expect(archivesIn(service.dataDir)).toEqual([])
    expect((await fetch(job.download_url)).status).toBe(403)
    connection.resume()
    const head = (await connection.until(/\r\n\r\n/)).split('\r\n\r\n')[0] ?? ''
    expect(head).toStartWith('HTTP/1.1 200 ')
    await connection.received(head.length + 4 + job.zip_size)
  })
})
