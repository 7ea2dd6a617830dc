import { expect, test } from 'bun:test'
import { connectTo } from '../support/connection.ts'
import { startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'

test('during a stop the service accepts no new connections, closes idle ones, and completes a running download', async () => {
  await using origin = await startOrigin()
  const service = await startService()
  const job = await service.finishedJob([origin.url('/bytes/16777216/large.bin')])
  using downloading = await connectTo(service.origin)
  using idle = await connectTo(service.origin)
  await idle.send('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
  await idle.until(/"success":true/)
  await downloading.send(`GET ${new URL(job.download_url).pathname} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await downloading.until(/\r\n\r\n/)
  downloading.pause()
  const stopped = service[Symbol.asyncDispose]()
  await expect(idle.until(/never sent/)).rejects.toThrow('closed')
  await expect(fetch(`${service.origin}/health`)).rejects.toThrow()
  downloading.resume()
  await downloading.received(job.zip_size)
  await stopped
})
