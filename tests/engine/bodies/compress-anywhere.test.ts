import { expect, test } from 'bun:test'
import { compressBody } from '../../../server/archive/compress.ts'
import { compressAnywhere } from '../../../server/engine/bodies/compress-anywhere.ts'
import {
  type ConnectHelpers,
  type FromHelper,
  Helpers,
  type ToHelper,
} from '../../../server/engine/bodies/helpers.ts'
import { HelperThreads } from '../../../server/engine/threads/helper-threads.ts'
import { IdleThreads } from '../../../server/engine/threads/idle-threads.ts'
import { PROGRAM_FILES } from '../../support/service.ts'

/** A text that compresses to about a third. */
function text(sizeBytes: number, seed: number): Uint8Array<ArrayBuffer> {
  const words = Array.from({ length: 997 }, (_, index) => ((index * 7919 + seed) % 65_536).toString(36)).join(
    ' ',
  )
  return new TextEncoder().encode(words.repeat(Math.ceil(sizeBytes / words.length)).slice(0, sizeBytes))
}

function compressed({ requestId, bytes }: Extract<ToHelper, { readonly type: 'compress' }>): FromHelper {
  return { type: 'compressed', requestId, body: compressBody(bytes, true) }
}

function openCompress(stack: DisposableStack, connect: ConnectHelpers) {
  const helpers = stack.use(new Helpers(connect, new AbortController().signal))
  return (bytes: Uint8Array<ArrayBuffer>, isTextLike: boolean) => compressAnywhere(bytes, isTextLike, helpers)
}

function openHelpers(stack: DisposableStack, onCrash = () => {}) {
  const threads = stack.use(new IdleThreads(PROGRAM_FILES.workerUrl))
  const helpers = stack.use(new HelperThreads(threads, () => 0, 1))
  const connected = Promise.withResolvers<number>()
  const compress = openCompress(stack, async () => {
    const { ports } = stack.use(await helpers.connect(onCrash))
    connected.resolve(ports.length)
    return ports
  })
  return { threads, helpers, compress, connected: connected.promise }
}

test('a text has the same compressed bytes in every thread', async () => {
  using stack = new DisposableStack()
  const { compress, connected } = openHelpers(stack)
  const sizes = [20_000, 512, 100_000, 300_000, 16_384, 900_000, 5_000]
  const expected = sizes.map((sizeBytes, seed) => compressBody(text(sizeBytes, seed), true))
  for (let round = 0; round < 20; round++) {
    if (round === 1) await connected
    const bodies = await Promise.all(sizes.map((size, seed) => compress(text(size, seed), true)))
    expect(bodies).toEqual(expected)
  }
})

test('long texts are compressed by a helper, and those that are too many meanwhile in the thread of the job', async () => {
  const { port1, port2 } = new MessageChannel()
  let sentBytes = 0
  port2.onmessage = ({ data }: { readonly data: ToHelper }) => {
    if (data.type !== 'compress') return
    sentBytes += data.bytes.length
    port2.postMessage(compressed(data))
  }
  const connected = Promise.withResolvers<void>()
  using stack = new DisposableStack()
  const compress = openCompress(stack, async () => {
    queueMicrotask(connected.resolve)
    return [port1]
  })
  const compressLong = (seed: number) => compress(text(100_000, seed), true)
  await compressLong(0)
  await connected.promise
  expect(sentBytes).toBe(0)
  const many = Array.from({ length: 200 }, (_, seed) => seed)
  expect(await Promise.all(many.map(compressLong))).toEqual(
    many.map((seed) => compressBody(text(100_000, seed), true)),
  )
  expect(sentBytes).toBeWithin(1_000_000, 2_000_000)
})

test('texts that a helper gives back in another order than they were sent in do not become each other', async () => {
  const { port1, port2 } = new MessageChannel()
  const asked: Extract<ToHelper, { readonly type: 'compress' }>[] = []
  port2.onmessage = ({ data }: { readonly data: ToHelper }) => {
    if (data.type === 'compress') asked.push(data)
    if (asked.length < 3) return
    for (const request of asked.toReversed()) port2.postMessage(compressed(request))
  }
  const connected = Promise.withResolvers<void>()
  using stack = new DisposableStack()
  const compress = openCompress(stack, async () => {
    queueMicrotask(connected.resolve)
    return [port1]
  })
  await compress(text(20_000, 0), true)
  await connected.promise
  const sizes = [20_000, 30_000, 40_000]
  const bodies = await Promise.all(sizes.map((size) => compress(text(size, size), true)))
  expect(bodies).toEqual(sizes.map((size) => compressBody(text(size, size), true)))
  expect(asked).toHaveLength(sizes.length)
})

test('a body that is not text, or is short, is not sent to a helper', async () => {
  using stack = new DisposableStack()
  let connections = 0
  const compress = openCompress(stack, async () => {
    connections++
    return []
  })
  expect(await compress(text(100_000, 1), false)).toMatchObject({ method: 0, sizeBytes: 100_000 })
  expect(await compress(text(1_000, 1), true)).toMatchObject({ method: 8, sizeBytes: 1_000 })
  expect(connections).toBe(0)
})

test('a view into a larger buffer keeps its neighbours', async () => {
  using stack = new DisposableStack()
  const { compress, connected } = openHelpers(stack)
  await compress(text(20_000, 1), true)
  await connected
  await Promise.resolve()
  const whole = text(60_000, 3)
  const copy = whole.slice()
  const body = await compress(whole.subarray(20_000, 40_000), true)
  expect(body).toEqual(compressBody(copy.slice(20_000, 40_000), true))
  expect(whole).toEqual(copy)
})

test('when a helper ends by itself, the job learns that its text is lost', async () => {
  using stack = new DisposableStack()
  const crashed = Promise.withResolvers<void>()
  const threads = stack.use(new IdleThreads(PROGRAM_FILES.workerUrl))
  const helpers = stack.use(new HelperThreads(threads, () => 0, 1))
  const taken = await threads.take(() => 0, new AbortController().signal)
  if (taken === null) throw new Error('there is no thread')
  threads.giveBack(taken)
  stack.use(await helpers.connect(crashed.resolve))
  taken.worker.terminate()
  await crashed.promise
})
