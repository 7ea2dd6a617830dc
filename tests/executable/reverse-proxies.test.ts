// test group: long
import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { JobJson } from '../../server/http/jobs/schemas.ts'
import { startFileOrigin } from '../soak/file-origin.ts'
import { type Client, signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { firstMatch } from '../support/first-match.ts'
import { forFile } from '../support/for-file.ts'
import { resultOf } from '../support/holdall-command.ts'
import { killDownload } from '../support/kill-download.ts'
import { startOrigin } from '../support/origin.ts'
import { PROXIES, type ReverseProxy, startReverseProxy } from '../support/reverse-proxy.ts'
import { tempDir } from '../support/temp-dir.ts'

const TEST_TIMEOUT_MS = 180_000
const GIGABYTE = 1_000_000_000
const TRUST = ['--trust-proxy', '127.0.0.1/32']

const trusting = forFile(await startHoldall({ args: TRUST }))
const owner = await signInOwner(trusting)

describe.each(PROXIES)('Behind %s, configured as in the documentation', (name) => {
  test('plain HTTP is redirected, and the interface and its API are served', async () => {
    await using holdall = await startHoldall({ args: TRUST })
    await using proxy = await startReverseProxy(name, holdall.address)
    const redirect = await output(proxy.curl('-o', '/dev/null', '-w', '%{http_code}', proxy.insecureOrigin))
    expect(redirect).toMatch(/^30[18]$/)
    expect(await output(proxy.curl(`${proxy.origin}/`))).toContain('<title>Holdall')
    expect(await output(proxy.curl(`${proxy.origin}/health`))).toContain('"success":true')
  })

  test('events arrive while their job runs', async () => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall()
    await using proxy = await startReverseProxy(name, holdall.address)
    const client = await signInOwner(holdall)
    const urls = [origin.url('/bytes/3000000?stall_at=2000000'), origin.url('/bytes/100')]
    const jobId = await client.createJob({ urls })
    const child = Bun.spawn(
      proxy.curl('-N', '-H', `Authorization: Bearer ${client.key}`, `${proxy.origin}/jobs/${jobId}/events`),
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    // The job does not end by itself, so a proxy that waits for the end of the response would send nothing.
    const before = await firstMatch(child.stdout, /(.*)^event: progress$/ms)
    expect(before).toContain('event: snapshot')
    expect((await client.getJob(jobId)).status).toBe('processing')
    await client.request('POST', `/jobs/${jobId}/cancel`)
    await child.exited
  })

  test('a list of 30 MB is accepted', async () => {
    await using holdall = await startHoldall()
    await using proxy = await startReverseProxy(name, holdall.address)
    using dir = tempDir()
    const client = await signInOwner(holdall)
    const urls = Array.from(
      { length: 4_000 },
      (_, index) => `http://127.0.0.1:1/${index}/${'a'.repeat(7_500)}`,
    )
    await Bun.write(dir.file('list.json'), JSON.stringify({ urls }))
    const headers = ['Content-Type: application/json', `Authorization: Bearer ${client.key}`]
    const response = await output(
      proxy.curl(
        ...headers.flatMap((header) => ['-H', header]),
        ...['--data-binary', `@${dir.file('list.json')}`, `${proxy.origin}/jobs`],
      ),
    )
    expect(JSON.parse(response)).toMatchObject({ success: true })
  })

  test.each([true, false])('forwarded headers count only with --trust-proxy: %p', async (isTrusted) => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall({ args: isTrusted ? TRUST : [] })
    await using proxy = await startReverseProxy(name, holdall.address)
    const client = await signInOwner(holdall)
    const jobId = await client.createJob({ urls: [origin.url('/bytes/100')] })
    await client.untilEnded(jobId)
    const scheme = isTrusted ? 'https' : 'http'
    const url = await downloadUrl(proxy, client, jobId)
    expect(url).toStartWith(`${scheme}://${new URL(proxy.origin).host}/download/`)
    // After many wrong keys from one client, only that client is refused, if Holdall knows which one it is.
    // More than 300, since five more are allowed in each second that the requests take: each of them may be one.
    expect(await statusesOfWrongKeys(proxy, '127.0.0.2', 450)).toContain('429')
    const ofAnother = await statusesOfWrongKeys(proxy, '127.0.0.3', 100)
    expect(new Set(ofAnother).has('429')).toBe(!isTrusted)
  })
})

describe('A download of a gigabyte continues after it was broken off', () => {
  /** Packed once for all proxies. */
  let jobId: string | null = null

  test.each(PROXIES)(
    'behind %s',
    async (name) => {
      jobId ??= await packGigabyte()
      await using proxy = await startReverseProxy(name, trusting.address)
      using dir = tempDir()
      const url = await downloadUrl(proxy, owner, jobId)
      const path = dir.file('archive.zip')
      expect(await killDownload(proxy.curl('-o', path, url))).toBe('SIGXFSZ')
      const fetchedBytes = statSync(path).size
      expect(fetchedBytes).toBeGreaterThan(0)
      const statusAndSize = await output(
        proxy.curl('-C', '-', '-o', path, '-w', '%{http_code} %{size_download}', url),
      )
      const packed = join(trusting.dataDir, 'archives', `${jobId}.zip`)
      expect(statusAndSize).toBe(`206 ${statSync(packed).size - fetchedBytes}`)
      // Exits with 1 if a byte differs.
      await output(['cmp', path, packed])
    },
    TEST_TIMEOUT_MS,
  )
})

async function packGigabyte(): Promise<string> {
  await using origin = startFileOrigin()
  const jobId = await owner.createJob({ urls: [origin.url(GIGABYTE, 'large.bin')] })
  await owner.untilEnded(jobId, TEST_TIMEOUT_MS)
  return jobId
}

async function output(command: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await resultOf(
    Bun.spawn(command, { stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed: ${stderr}`)
  return stdout
}

/** The download URL that a client of the proxy gets. */
async function downloadUrl(proxy: ReverseProxy, client: Client, jobId: string): Promise<string> {
  const headers = ['-H', `Authorization: Bearer ${client.key}`]
  const { job }: { job: JobJson } = JSON.parse(
    await output(proxy.curl(...headers, `${proxy.origin}/jobs/${jobId}`)),
  )
  return job.download_url ?? ''
}

/** @param address of the client, on this machine */
async function statusesOfWrongKeys(proxy: ReverseProxy, address: string, count: number): Promise<string[]> {
  const statuses = await output(
    proxy.curl(
      ...['--interface', address, '-H', 'Authorization: Bearer wrong'],
      ...['-o', '/dev/null', '-w', '%{http_code}\\n', `${proxy.origin}/me?[1-${count}]`],
    ),
  )
  return statuses.trim().split('\n')
}
