import { startMeasuredService } from '../measured-service.ts'
import { serve } from '../origin/start.ts'
import { completeJobs, completion, createJobs, jobBody } from '../service-jobs.ts'
import { median } from '../statistics.ts'
import { scaled, TINY, W1 } from '../workloads.ts'
import { LARGE_JOBS } from './jobs-at-once.ts'
import { figure, type Measurement, onlyFigures } from './measurement.ts'

/** The time of a job of one small URL: the first twenty jobs of a new, idle service. */
export const tinyIdle: Measurement = {
  name: 'tiny-idle',
  title: `The first tiny jobs of an idle service: ${TINY.title}`,
  async run(bench) {
    await using served = await serve(TINY)
    const body = jobBody(served.urls)
    const medians: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      await using service = await startMeasuredService()
      const times: number[] = []
      for (let job = 0; job < TINY_JOBS; job++) {
        const { wallMs, jobs } = await completeJobs(service.client, [body], bench.signal)
        times.push(wallMs)
        for (const { id } of jobs) await bench.verifier.verify('tiny', service.archivePath(id), TINY)
      }
      medians.push(median(times))
    }
    return onlyFigures([
      figure('Tiny job, idle service: median of the first 20', 'ms', medians, { atMost: 15 }),
    ])
  },
}

/** The same just after creating as many large jobs as the service runs simultaneously. */
export const tinyBehind: Measurement = {
  name: 'tiny-behind',
  title: `A tiny job behind ${LARGE_JOBS} jobs of ${W1.title}`,
  async run(bench) {
    await using large = await serve(scaled(W1, bench.scale))
    await using tiny = await serve(TINY)
    const largeBodies = Array<string>(LARGE_JOBS).fill(jobBody(large.urls))
    const times: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      await using service = await startMeasuredService()
      await createJobs(service.client, largeBodies)
      const created = await createJobs(service.client, [jobBody(tiny.urls)])
      const { wallMs, jobs } = await completion(service.client, created, bench.signal)
      times.push(wallMs)
      for (const { id } of jobs) await bench.verifier.verify('tiny, behind', service.archivePath(id), TINY)
    }
    return onlyFigures([figure(`Tiny job behind ${LARGE_JOBS} W1 jobs`, 'ms', times, { atMost: 500 })])
  },
}

const TINY_JOBS = 20
