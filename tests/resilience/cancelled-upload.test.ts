import { expect, test } from 'bun:test'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

test('a job that is cancelled during its upload and retried from scratch keeps its new files, whatever the upload does', async () => {
  using store = startStore()
  using source = startSource()
  await using service = await startService({ 'archive-store': ['s3://zips/all'] }, undefined, store.env)
  const deleted = await service.finishedJob([source.url('deleted')])
  await service.request('DELETE', `/jobs/${deleted.id}`)
  await until('the store is deleting something else', () => store.requests.includes('DELETE'))

  const looked = store.holdNextLook()
  const id = await service.createJob({ urls: [source.url('held')] })
  await looked.asked
  expect((await service.request('POST', `/jobs/${id}/cancel`)).status).toBe(200)
  const again = await service.request('POST', `/jobs/${id}/retry`, { body: { from_checkpoint: false } })
  expect(again.status).toBe(200)
  await until('the job runs again', () => source.requests.filter((name) => name === 'held').length === 2)

  looked.answer()
  // When this one has been uploaded, the upload before has long found out that its file is gone.
  expect((await service.finishedJob([source.url('other')])).status).toBe('completed')
  source.release()
  expect((await service.jobIn(id, ['completed', 'failed'])).status).toBe('completed')
  expect(service.logged.filter((line) => line.includes('damaged'))).toEqual([])
})

/** An S3 server that takes archives, and deletes none until it is stopped. */
function startStore() {
  const objects = new Map<string, Blob>()
  const requests: string[] = []
  const never = Promise.withResolvers<Response>()
  let held: { asked: () => void; answer: Promise<void> } | null = null
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { method } = request
      const { pathname } = new URL(request.url)
      requests.push(method)
      if (method === 'DELETE') return await never.promise
      if (method === 'PUT') objects.set(pathname, await request.blob())
      if (method !== 'HEAD') return new Response('<ListMultipartUploadsResult/>')
      const look = held
      held = null
      look?.asked()
      await look?.answer
      return new Response(objects.get(pathname) ?? null, { status: objects.has(pathname) ? 200 : 404 })
    },
  })
  return {
    requests,
    env: {
      AWS_ENDPOINT_URL: server.url.origin,
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
    /** The next question whether an object is there waits for its answer. */
    holdNextLook() {
      const asked = Promise.withResolvers<void>()
      const answer = Promise.withResolvers<void>()
      held = { asked: asked.resolve, answer: answer.promise }
      return { asked: asked.promise, answer: answer.resolve }
    },
    [Symbol.dispose]() {
      never.resolve(new Response(null, { status: 204 }))
      void server.stop(true)
    },
  }
}

/** Serves any name. Whoever asks for `held` a second time waits until it is released. */
function startSource() {
  const requests: string[] = []
  const released = Promise.withResolvers<void>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const name = new URL(request.url).pathname.slice(1)
      const isHeld = name === 'held' && requests.includes(name)
      requests.push(name)
      if (isHeld) await released.promise
      return new Response(`the body of ${name}`)
    },
  })
  return {
    requests,
    url: (name: string) => `${server.url.origin}/${name}`,
    release: () => released.resolve(),
    [Symbol.dispose]: () => void server.stop(true),
  }
}
