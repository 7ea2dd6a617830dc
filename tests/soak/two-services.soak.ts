import { expect, test } from 'bun:test'
import { type Client, signInOwner } from '../support/client.ts'
import { EXECUTABLE, type Holdall, startHoldall } from '../support/executable.ts'
import { startGzipBomb } from '../support/gzip-bomb.ts'
import { resultOf } from '../support/holdall-command.ts'
import { startOrigin } from '../support/origin.ts'
import { watchService } from '../support/service-watch.ts'

const TIMEOUT_MS = 300_000

test(
  'Beside a second service on the same machine, a bomb, long lists and kills of one delay and lose nothing of the other',
  async () => {
    await using origin = await startOrigin()
    await using bomb = startGzipBomb(10e9)
    await using attacked = await startHoldall({ args: ['--rate-limit', '0'] })
    await using calm = await startHoldall({ args: ['--rate-limit', '0'] })
    const [one, two] = [await signInOwner(attacked), await signInOwner(calm)]
    const files = Array.from({ length: 500 }, (_, index) => origin.url(`/bytes/20000?${index}`))
    const longUrls = Array.from({ length: 2_000 }, (_, index) =>
      origin.url(`/status/404?${index}/`).padEnd(8_000, 'x'),
    )
    const watch = await watchService(calm)
    const bombs = [await one.createJob({ urls: [bomb.url] }), await one.createJob({ urls: longUrls })]
    const kept: string[] = []
    for (let round = 0; round < 3; round++) {
      kept.push(await one.createJob({ urls: files }), await two.createJob({ urls: files }))
      await attacked.kill()
      await attacked.restart()
    }
    await expectRefused(calm)
    await expectRefused(attacked)
    for (const [index, jobId] of kept.entries()) await expectPacked(index % 2 === 0 ? one : two, jobId)
    for (const jobId of bombs) expect((await one.untilEnded(jobId, TIMEOUT_MS)).status).toBe('failed')
    console.log(`Beside a service that is attacked and killed: ${await watch.finish()}`)
  },
  TIMEOUT_MS,
)

async function expectPacked(client: Client, jobId: string): Promise<void> {
  expect(await client.untilEnded(jobId, TIMEOUT_MS)).toMatchObject({ status: 'completed', file_count: 500 })
}

/** A second service on the data directory of one that runs ends at once, without a port and without a change. */
async function expectRefused(holdall: Holdall): Promise<void> {
  const second = Bun.spawn([EXECUTABLE, '--data', holdall.dataDir, '--listen', '127.0.0.1:0', '--no-open'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout } = await resultOf(second)
  expect(stdout).toContain(`already runs on this data directory: ${holdall.address}`)
  expect(stdout).not.toContain('listens on')
}
