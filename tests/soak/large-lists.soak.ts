import { expect, test } from 'bun:test'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { watchService } from '../support/service-watch.ts'
import { until } from '../support/until.ts'

const TIMEOUT_MS = 300_000
const ROUNDS = 5

test.each([
  [2_400, 8_000],
  [5_000, 3_900],
  [5_000, 8_150],
])(
  'Nobody waits while jobs of %d URLs of %d characters are created, packed, retried with other URLs, copied and deleted',
  async (count, characters) => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall({ args: ['--rate-limit', '0'] })
    const client = await signInOwner(holdall)
    const urls = (target: string) =>
      Array.from({ length: count }, (_, index) => origin.url(`${target}?${index}/`).padEnd(characters, 'x'))
    const post = async (path: string, body: object) => {
      const response = await client.request('POST', path, body)
      const json = JSON.parse(await response.text())
      expect([path, json.error]).toEqual([path, undefined])
      return String(json.job_id)
    }
    /** Asks for the row alone: the whole job is as long as its list. */
    const untilEnded = (id: string) =>
      until(
        'the job has ended',
        async () => {
          const { jobs } = JSON.parse(await (await client.request('GET', '/jobs?limit=10')).text())
          const job = jobs.find((each: { id: string }) => each.id === id)
          return ['completed', 'failed'].includes(job.status) && job
        },
        { deadlineMs: TIMEOUT_MS, everyMs: 50 },
      )
    /** Five times each, so that a percentile says something. */
    async function watched<T>(what: string, work: (round: number) => Promise<T>): Promise<T[]> {
      const watch = await watchService(holdall)
      const results: T[] = []
      for (let round = 0; round < ROUNDS; round++) results.push(await work(round))
      console.log(`${count} URLs of ${characters} characters ${what}: ${await watch.finish()}`)
      return results
    }

    const failing = await watched('that fail', async () => {
      const id = await post('/jobs', { urls: urls('/status/404') })
      await untilEnded(id)
      return id
    })
    await watched('that are replaced', async (round) => {
      const replace = urls('/bytes/1').map((url, position) => ({ position, url }))
      await post(`/jobs/${failing[round]}/retry`, { replace })
      expect((await untilEnded(failing[round] ?? '')).status).toBe('completed')
    })
    const copies = await watched('that are copied', async (round) => {
      const base = { job_id: failing[round] ?? '', reuse: 'all' }
      const id = await post('/jobs', { urls: urls('/bytes/1'), base })
      expect((await untilEnded(id)).file_count).toBe(count)
      return id
    })
    await watched('that are deleted', async (round) => {
      for (const id of [failing[round], copies[round]])
        expect((await client.request('DELETE', `/jobs/${id}`)).status).toBe(200)
    })
  },
  TIMEOUT_MS,
)
