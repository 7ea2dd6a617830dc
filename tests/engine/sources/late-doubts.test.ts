import { expect, test } from 'bun:test'
import { startRawOrigin, whole } from '../../support/origin/raw-origin.ts'
import { sha256 } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { type TestJob, testJob } from '../../support/test-job.ts'
import { until } from '../../support/until.ts'

/** From here on, the job makes no new connection. It closes none on which the own response could come. */
const MIDDLE = /^\/[34]\d\.txt$/
/** Of the space that dropped entries leave: less than their bodies and headers. */
const PADDING_BYTES = 3_000
const LAST = '/59.txt'
const TARGETS = ['/slow.txt', ...Array.from({ length: 60 }, (_, n) => `/${n}.txt`)]

test('a body that a foreign response has replaced is fetched again, though its own comes after the entry was stored', async () => {
  let replaced: string[] = []
  let isEnding = false
  let sendOwn = () => {}
  let answerSlow = () => {}
  let job: TestJob
  const areStored = (targets: readonly string[]) =>
    targets.every((target) =>
      job.checkpoint.entries.some(
        ({ position, status }) => TARGETS[position] === target && status === 'stored',
      ),
    )
  await using source = await startRawOrigin((socket, target, index) => {
    const answer = () => socket.write(whole(target))
    if (target === '/slow.txt') {
      answerSlow = answer
    } else if (index > 0 && MIDDLE.test(target) && replaced.length === 0) {
      replaced.push(target)
      socket.write(whole('of nobody'))
      // A connection on which more comes than was asked for is closed.
      socket.once('close', () => answerSlow())
      sendOwn = answer
    } else {
      answer()
    }
    if (target !== LAST || isEnding) return
    isEnding = true
    void until('all others are stored', () => areStored(TARGETS.slice(1))).then(sendOwn)
  })
  const urls = TARGETS.map((target) => `http://${source.host}${target}`)
  const digests = TARGETS.map((target) => sha256(Buffer.from(target)))
  let maxZipBytes = 50e9
  // The dropped body counts in no limit: the second time, the archive may be hardly larger than it is.
  for (let run = 0; run < 2; run++) {
    using dir = tempDir()
    replaced = []
    isEnding = false
    job = testJob(dir.file('a.zip'), urls)
    const outcome = await job.run({ bounds: { total: 2, perHost: 2 }, order: { maxZipBytes } })
    if (outcome.status !== 'completed') throw new Error(JSON.stringify([outcome, job.errors]))
    expect(replaced).toHaveLength(1)
    expect((await readZip(job.archivePath)).map((entry) => entry.sha256)).toEqual(digests)
    maxZipBytes = outcome.zipBytes + PADDING_BYTES
  }
})
