import { expect, test } from 'bun:test'
import { signInOwner } from '../support/client.ts'
import { addUser, startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { begunRuns, multiplySchedules } from '../support/schedule-rush.ts'
import { until } from '../support/until.ts'

const USERS = 10
const PER_USER = 100
const MAX_RUNS_OF_USER = 4
const TIMEOUT_MS = 20 * 60_000

test(
  'a thousand schedules of ten users that are due at the start: each runs once, in turns, and the service answers quickly',
  async () => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall({ args: ['--rate-limit', '0'] })
    const owner = await signInOwner(holdall)
    for (let user = 0; user < USERS; user++) {
      const token = addUser(holdall, `user-${user}`).split('#')[1]
      const signedIn = await fetch(`${holdall.address}/sign-in`, {
        method: 'POST',
        body: JSON.stringify({ token }),
      })
      const { api_key } = JSON.parse(await signedIn.text())
      const created = await fetch(`${holdall.address}/schedules`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api_key.key}` },
        body: JSON.stringify({
          name: `list ${user}`,
          urls: [
            origin.url(`/bytes/20000/a.bin?user=${user}`),
            origin.url(`/bytes/20000/b.bin?user=${user}`),
          ],
          every: 'day',
          time_zone: 'UTC',
        }),
      })
      expect(created.status).toBe(201)
    }
    await holdall.stop()
    multiplySchedules(holdall.dataDir, PER_USER - 1, Date.now())
    await holdall.restart()

    const startedMs = performance.now()
    const healthMs: number[] = []
    const ownJobMs: number[] = []
    let most = 0
    const haveCompleted = async () => {
      const askedMs = performance.now()
      expect((await fetch(`${holdall.address}/health`)).status).toBe(200)
      healthMs.push(performance.now() - askedMs)
      if (healthMs.length % 50 === 0) {
        const jobMs = performance.now()
        const job = await owner.createJob({ urls: [origin.url(`/bytes/20000/own.bin?n=${healthMs.length}`)] })
        expect(await owner.untilEnded(job)).toMatchObject({ status: 'completed' })
        ownJobMs.push(performance.now() - jobMs)
      }
      const runs = begunRuns(holdall.dataDir)
      const running = Object.groupBy(
        runs.filter(({ status }) => status === 'running'),
        ({ userId }) => userId,
      )
      most = Math.max(most, ...Object.values(running).map((ofUser = []) => ofUser.length))
      expect(runs.filter(({ status }) => status === 'failed')).toEqual([])
      return runs.filter(({ status }) => status === 'completed').length === USERS * PER_USER
    }
    await until('all runs are completed', haveCompleted, { deadlineMs: TIMEOUT_MS, everyMs: 50 })
    const runs = begunRuns(holdall.dataDir)
    const gapsMs = runs.slice(1).map(({ createdAt }, index) => createdAt - (runs[index]?.createdAt ?? 0))
    const shown = (values: readonly number[]) =>
      `median ${at(values, 0.5).toFixed(1)}, 99 % ${at(values, 0.99).toFixed(1)}, most ${at(values, 1).toFixed(1)}`
    console.log(
      `${runs.length} runs in ${((performance.now() - startedMs) / 1000).toFixed(0)} s; /health in ms: ${shown(healthMs)}; a job of another user in ms: ${shown(ownJobMs)}; at most ${most} of a user at once`,
    )
    expect(runs).toHaveLength(USERS * PER_USER)
    // Two begin at least 0.2 s apart, and times are whole milliseconds.
    expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(199)
    expect(most).toBeLessThanOrEqual(MAX_RUNS_OF_USER)
    // As in other tests of the service under load.
    expect(at(healthMs, 0.99)).toBeLessThan(500)
  },
  TIMEOUT_MS,
)

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
