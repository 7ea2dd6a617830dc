import { describe, expect, test } from 'bun:test'
import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createHoldallClient, HoldallError } from '../../server/client/client.ts'
import { forFile } from '../support/for-file.ts'
import { openForwarder } from '../support/forwarder.ts'
import { startService } from '../support/service.ts'
import { sha256 } from '../support/sha256.ts'
import { startSources } from '../support/sources.ts'

/** More than the sockets between a service and a client buffer. */
const SIZE_BYTES = 48 * 1024 * 1024

const body = crypto.getRandomValues(new Uint8Array(65_536))
const large = Buffer.concat(Array.from({ length: SIZE_BYTES / body.length }, () => body))
const source = forFile(Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(large) }))
const sources = forFile(startSources())
const service = forFile(await startService())
const forwarder = forFile(await openForwarder(() => service.origin))
const client = createHoldallClient({ url: forwarder.origin, key: service.key })
const job = await client.waitForJob((await client.createJob({ urls: [`${source.url}large.bin`] })).id)
const whole = await (await fetch(job.download_url ?? '')).bytes()

describe('A download', () => {
  test('is the whole archive', async () => {
    const response = await client.download(job)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(sha256(await response.bytes())).toBe(sha256(whole))
  })

  test('continues over a new connection when one breaks', async () => {
    using breaking = await openForwarder(() => service.origin)
    const { pathname } = new URL(job.download_url ?? '')
    const { body } = await client.download({ ...job, download_url: breaking.origin + pathname })
    const pieces: Uint8Array[] = []
    for await (const piece of body ?? []) {
      if (pieces.length === 0) breaking.breakAll()
      pieces.push(piece)
    }
    expect(sha256(Buffer.concat(pieces))).toBe(sha256(whole))
    expect(breaking.connectionCount()).toBe(2)
  })

  test('continues after the part that an earlier one has received', async () => {
    const etag = (await client.download(job)).headers.get('etag') ?? ''
    const response = await client.download(job, { received: { bytes: 1_000, etag } })
    expect([response.status, response.headers.get('etag')]).toEqual([206, etag])
    expect(sha256(await response.bytes())).toBe(sha256(whole.subarray(1_000)))
  })

  test('begins anew when the archive is another one than that of the received part', async () => {
    const response = await client.download(job, { received: { bytes: 1_000, etag: '"another"' } })
    expect(response.status).toBe(200)
    expect(sha256(await response.bytes())).toBe(sha256(whole))
  })

  test('fails in the middle when the archive is no longer the same', async () => {
    const changed = await client.waitForJob(
      (await client.createJob({ urls: [`${source.url}changed.bin`] })).id,
    )
    const { body } = await client.download(changed)
    const path = join(service.dataDir, 'archives', `${changed.id}.zip`)
    copyFileSync(path, `${path}.copy`)
    renameSync(`${path}.copy`, path)
    const read = async () => {
      for await (const _piece of body ?? []) forwarder.breakAll()
    }
    expect(await codeOf(read())).toBe('PRECONDITION_FAILED')
  })

  test('is whole behind a proxy that compresses it', async () => {
    await using proxy = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch({ url }) {
        const { body, headers } = await fetch(service.origin + new URL(url).pathname)
        const etag = headers.get('etag') ?? ''
        const compressed = body?.pipeThrough(new CompressionStream('gzip'))
        return new Response(compressed, { headers: { etag, 'content-encoding': 'gzip' } })
      },
    })
    const { pathname } = new URL(job.download_url ?? '')
    const response = await client.download({ ...job, download_url: new URL(pathname, proxy.url).href })
    expect(sha256(await response.bytes())).toBe(sha256(whole))
  })

  test('stops when its signal aborts or its body is cancelled', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const aborted = await client.download(job, { signal: stop.signal })
    stop.abort(reason)
    await expect(aborted.bytes()).rejects.toBe(reason)
    const { body } = await client.download(job)
    const reader = body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect((await reader?.read())?.done).toBe(true)
  })

  test('of a job without an archive is NO_ARCHIVE, with the reason', async () => {
    const failed = await client.waitForJob((await client.createJob({ urls: [sources.url('/nothing')] })).id)
    const error = await client.download(failed).catch((error) => error)
    expect([error.code, error.message]).toEqual(['NO_ARCHIVE', failed.failure?.message])
    const { id } = await client.createJob({ urls: [sources.url('/slow')] })
    expect(await codeOf(client.download(await client.getJob(id)))).toBe('NO_ARCHIVE')
  })

  test('with a link that has expired is EXPIRED_TOKEN', async () => {
    const deleted = await client.waitForJob((await client.createJob({ urls: [sources.url('/ok/a')] })).id)
    await client.deleteJob(deleted.id)
    expect(await codeOf(client.download(deleted))).toBe('EXPIRED_TOKEN')
  })
})

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.catch((error) => error)
  return error instanceof HoldallError ? error.code : `${error}`
}
