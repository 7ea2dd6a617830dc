// test group: long
import { describe, expect, test } from 'bun:test'
import { runEarlyCases } from '../../support/early-case.ts'
import { deterministicBytes, expectedSha256 } from '../../support/origin/deterministic-bytes.ts'
import { type Reply, startHttpServer } from '../../support/origin/http-server.ts'
import { readZip } from '../../support/read-zip.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'
import { until } from '../../support/until.ts'

test('What is settled is the beginning of the finished archive, through stops, kills, gaps and duplicates, in 20 random cases', async () => {
  const { wrong, settledShare } = await runEarlyCases(1, 20)
  expect(wrong).toEqual([])
  expect(settledShare).toBeGreaterThan(0.5)
})

describe('A gap of a failed body is closed while the rest is packed', () => {
  test.each([
    ['smaller than padding', [50_000, 200_000, 200_000]],
    ['by entries from the end of the file', [500_000, 200_000, 100_000, 90_000]],
    ['before larger entries', [100_000, 400_000, 300_000, 250_000]],
    [
      'before larger entries, in several headers',
      [300_000, 2_000_000, 1_500_000, 1_200_000, 1_100_000, 1_500_000, 1_300_000],
    ],
  ])('%s', async (_what, [gapBytes = 0, ...sizes]) => {
    using dir = tempDir()
    const gate = Promise.withResolvers<void>()
    const allBytes = sizes.reduce((sum, size) => sum + size, 0)
    const untilReceived = (bytes: number) =>
      until(`${bytes} bytes have arrived`, () => (job.progress.at(-1)?.receivedBytes ?? 0) >= bytes)
    await using server = await startHttpServer(async ({ path }) => {
      if (path === '/slow') {
        await gate.promise
        return body(1000, 1000)
      }
      if (path === '/broken')
        return {
          ...body(gapBytes, gapBytes - 1),
          body: halting(gapBytes - 1, () => untilReceived(gapBytes - 1 + allBytes)),
        }
      await untilReceived(gapBytes - 1)
      return body(Number(path.slice(1)), Number(path.slice(1)))
    })
    // The broken body gets its space first.
    const paths = ['broken', ...sizes, 'slow']
    const job = testJob(
      dir.file('a.zip'),
      paths.map((path) => ({ url: `http://127.0.0.1:${server.port}/${path}`, filename: `${path}.bin` })),
    )
    let settledBytes = 0
    const outcome = await job.run({
      order: { earlyReaders: new Int32Array(new SharedArrayBuffer(4)) },
      limits: { attempts: 1 },
      onCommit(changes) {
        for (const change of changes) if (change.kind === 'settle') settledBytes = change.settledBytes
        if (settledBytes > allBytes) gate.resolve()
      },
    })
    expect(outcome.status).toBe('completed')
    expect((await readZip(job.archivePath)).map(({ sha256 }) => sha256)).toEqual(
      [...sizes, 1000].map((size) => expectedSha256(size)),
    )
  })
})

function body(declaredBytes: number, sentBytes: number): Reply {
  return {
    headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': String(declaredBytes) },
    body: deterministicBytes(sentBytes),
    ending: sentBytes < declaredBytes ? 'cut' : 'whole',
  }
}

/** All but the last bytes at once, and the end when all others are there. */
async function* halting(sizeBytes: number, untilEnd: () => Promise<unknown>) {
  yield* deterministicBytes(sizeBytes)
  await untilEnd()
}
