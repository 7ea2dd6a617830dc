import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { join } from 'node:path'
import { until } from '../support/until.ts'
import { type Operation, tryRequest } from './operation.ts'
import type { Stage } from './stage.ts'

interface Runs {
  readonly runs: readonly { readonly job_id: string; readonly status: string }[]
}

/** A run, from its start to the end that lets the archive before go. */
export const runSchedule: Operation = {
  name: 'run a schedule',
  roles: ['main', 'worker', 'pool'],
  async prepare(stage) {
    await stage.warmUp()
    const id = await createSchedule(stage)
    const begin = async () => await tryRequest<{ job_id: string }>(stage, 'POST', `/schedules/${id}/run`)
    const first = await begin()
    expect(await stage.client.untilEnded(first?.job_id ?? '')).toMatchObject({ status: 'completed' })
    let tries = 0
    return {
      async run() {
        // A try that failed may have begun a run all the same.
        await stage.settle()
        tries++
        const begun = await begin()
        if (begun === null) return false
        const job = await stage.client.untilEnded(begun.job_id).catch(() => null)
        return job?.status === 'completed'
      },
      async check(isDone) {
        const { runs } = await listRuns(stage, id)
        const jobs = (await stage.jobs()).filter(({ schedule_id }) => schedule_id === id)
        // No run without its job, no job without its run, and no more of them than were asked for.
        expect(jobs.map((job) => job.id).toSorted()).toEqual(runs.map(({ job_id }) => job_id).toSorted())
        expect(runs.length).toBeWithin(isDone ? 2 : 1, tries + 2)
        expect(runs.filter(({ status }) => status === 'running')).toEqual([])
        await expectNewestKept(stage, jobs, runs)
        // A user may have a hundred, and there are more tries.
        await stage.client.request('DELETE', `/schedules/${id}`)
      },
    }
  },
}

/**
 * A run that is due, from the look of the timer to the end that lets the archive before go. For kills only: after a fault of the disk,
 * the timer waits a minute.
 */
export const runWhenDue: Operation = {
  name: 'run a schedule when it is due',
  roles: ['main', 'worker', 'pool'],
  async prepare(stage) {
    await stage.warmUp()
    const id = await createSchedule(stage)
    const first = await tryRequest<{ job_id: string }>(stage, 'POST', `/schedules/${id}/run`)
    expect(await stage.client.untilEnded(first?.job_id ?? '')).toMatchObject({ status: 'completed' })
    return {
      async run() {
        makeDue(stage, id)
        return await untilRun(stage, id).then(
          () => true,
          () => false,
        )
      },
      async check() {
        await untilRun(stage, id)
        await stage.settle()
        const { runs } = await listRuns(stage, id)
        // Neither lost nor twice.
        expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed'])
        const jobs = (await stage.jobs()).filter(({ schedule_id }) => schedule_id === id)
        expect(jobs.map((job) => job.id)).toEqual(runs.map(({ job_id }) => job_id))
        await expectNewestKept(stage, jobs, runs)
        await stage.client.request('DELETE', `/schedules/${id}`)
      },
    }
  },
}

/** As when its time comes. */
function makeDue({ holdall }: Stage, id: string): void {
  using db = new Database(join(holdall.dataDir, 'holdall.db'))
  db.run('PRAGMA busy_timeout = 10000')
  db.run('UPDATE schedules SET next_run_at = ? WHERE id = ?', [Date.now(), id])
}

/** Waits until a second run has ended. Throws when the service is gone. */
async function untilRun(stage: Stage, id: string): Promise<void> {
  const hasEnded = async () => {
    const { runs } = await listRuns(stage, id)
    return runs.length > 1 && runs.every(({ status }) => status !== 'running')
  }
  await until('the second run has ended', hasEnded, { everyMs: 20 })
}

/** As many archives as are kept, and the newest complete one among them. */
async function expectNewestKept(
  { client }: Stage,
  jobs: readonly { readonly id: string }[],
  runs: Runs['runs'],
): Promise<void> {
  const kept = []
  for (const { id } of jobs) if ((await client.getJob(id)).download_url !== undefined) kept.push(id)
  expect(kept).toEqual([runs.find(({ status }) => status === 'completed')?.job_id ?? ''])
}

async function createSchedule(stage: Stage): Promise<string> {
  const response = await stage.client.request('POST', '/schedules', {
    name: 'Nightly',
    urls: [stage.origin.url(`/bytes/30000/a.bin?try=${stage.nextTry()}`)],
    every: 'day',
    time_zone: 'UTC',
    keep: 1,
  })
  const { schedule }: { schedule: { id: string } } = JSON.parse(await response.text())
  return schedule.id
}

async function listRuns(stage: Stage, id: string): Promise<Runs> {
  return JSON.parse(await (await stage.client.request('GET', `/schedules/${id}/runs?limit=100`)).text())
}
