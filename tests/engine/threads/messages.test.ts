import { expect, test } from 'bun:test'
import { once } from 'node:events'
import type { FromRun, FromWorker, ToWorker } from '../../../server/engine/threads/messages.ts'
import { superviseRun } from '../../../server/engine/threads/supervise.ts'
import { DEFAULT_FETCH_SETTINGS } from '../../support/default-fetch-settings.ts'
import { startOrigin } from '../../support/origin.ts'
import { plainOrder } from '../../support/plain-order.ts'
import { PROGRAM_FILES } from '../../support/service.ts'
import { tempDir } from '../../support/temp-dir.ts'

const LAST_RUN = 6
const THIS_RUN = 7

test('a thread ignores the messages of an earlier run, which were on the way when that ended', async () => {
  await using origin = await startOrigin()
  using dir = tempDir()
  using stack = new DisposableStack()
  const worker = stack.adopt(new Worker(PROGRAM_FILES.workerUrl), (thread) => thread.terminate())
  const post = (message: ToWorker) => worker.postMessage(message)
  const { sources, ...order } = plainOrder(dir.file('a.zip'), [origin.url('/bytes/1000/right.bin')])
  const ended = Promise.withResolvers<FromWorker>()
  let lastLeaseId = 0
  worker.onmessage = async ({ data }: MessageEvent<FromWorker>) => {
    switch (data.type) {
      case 'readSources': {
        const { requestId } = data
        const late = JSON.stringify([{ url: origin.url('/bytes/1000/wrong.bin'), filename: null }])
        post({ type: 'stop', runId: LAST_RUN })
        post({ type: 'sources', runId: LAST_RUN, requestId, sources: late })
        const read = JSON.stringify(await sources.slice(data.first, data.end))
        post({ type: 'sources', runId: data.runId, requestId, sources: read })
        break
      }
      case 'changeLeases': {
        const requests = data.changes.filter((change) => change.kind === 'request')
        const grants = requests.map(({ host, use }) => ({ leaseId: ++lastLeaseId, host, use }))
        post({ type: 'leasesGranted', runId: data.runId, grants })
        break
      }
      case 'commit':
        post({ type: 'committed', runId: data.runId, requestId: data.requestId })
        break
      case 'end':
        ended.resolve(data)
        break
    }
  }
  const jobsRunning = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(1)
  post({
    type: 'run',
    runId: THIS_RUN,
    order: { ...order, sourceCount: sources.length },
    connectionsPerHost: 32,
    fetching: DEFAULT_FETCH_SETTINGS,
    jobsRunning,
  })
  expect(await ended.promise).toMatchObject({ runId: THIS_RUN, outcome: { status: 'completed' } })
  expect(origin.requests('/bytes/1000/wrong.bin')).toEqual([])
})

test('the messages of an earlier run on a thread do not reach the run that it was given then', async () => {
  using stack = new DisposableStack()
  const script = `
    self.onmessage = () => {
      self.postMessage({ type: 'end', runId: ${LAST_RUN}, outcome: { status: 'stopped' } })
      self.postMessage({ type: 'heartbeat', runId: ${THIS_RUN} })
    }`
  const worker = stack.adopt(new Worker(`data:text/javascript,${encodeURIComponent(script)}`), (thread) =>
    thread.terminate(),
  )
  const handled: FromRun['type'][] = []
  const { signal } = new AbortController()
  const fail = (error: unknown) => {
    throw error
  }
  stack.use(
    superviseRun({ runId: THIS_RUN, worker, signal, handle: ({ type }) => handled.push(type), fail }, {}),
  )
  worker.postMessage(null)
  while (handled.length === 0) await once(worker, 'message')
  expect(handled).toEqual(['heartbeat'])
})
