import { expect, test } from 'bun:test'
import { startRawOrigin, whole } from '../../fetching/http1/raw-origin.ts'
import { sha256 } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const LAST = '/59.txt'
const TARGETS = ['/slow.txt', ...Array.from({ length: 60 }, (_, n) => `/${n}.txt`)]

test('a body that a foreign response has replaced is fetched again, though its own comes after the entry was stored', async () => {
  const replaced: string[] = []
  let sendOwn = () => {}
  let answerSlow = () => {}
  await using source = await startRawOrigin((socket, target, index) => {
    const answer = () => socket.write(whole(target))
    if (target === '/slow.txt') {
      answerSlow = answer
    } else if (index > 0 && replaced.length === 0) {
      replaced.push(target)
      socket.write(whole('of nobody'))
      sendOwn = answer
    } else {
      answer()
    }
    if (target !== LAST || replaced.includes(LAST)) return
    setTimeout(() => sendOwn(), 100)
    setTimeout(() => answerSlow(), 200)
  })
  using dir = tempDir()
  const urls = TARGETS.map((target) => `http://${source.host}${target}`)
  const job = testJob(dir.file('a.zip'), urls)
  expect(await job.run({ bounds: { total: 2, perHost: 2 } })).toMatchObject({ status: 'completed' })
  expect(replaced).toHaveLength(1)
  const digests = TARGETS.map((target) => sha256(Buffer.from(target)))
  expect((await readZip(job.archivePath)).map((entry) => entry.sha256)).toEqual(digests)
})
