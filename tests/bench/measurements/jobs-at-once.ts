import type { Bench } from '../bench.ts'
import { ceiling } from '../contenders/ceiling.ts'
import { CEILING, type Contender } from '../contenders/contender.ts'
import { startMeasuredService } from '../measured-service.ts'
import { type Served, serve } from '../origin/start.ts'
import { completeJobs, jobBody } from '../service-jobs.ts'
import { takeTurns } from '../take-turns.ts'
import { scaled, W1 } from '../workloads.ts'
import { figure, MB, type Measurement, ratioOf, timingsOf } from './measurement.ts'

/** Eight large jobs, created simultaneously in a new service, which runs at most eight. */
export const jobsAtOnce: Measurement = {
  name: 'jobs',
  title: `Eight jobs at once: ${W1.title} each`,
  async run(bench) {
    await using served = await serve(scaled(W1, bench.scale))
    const turns = await takeTurns([ceiling(bench, served), eightJobs(bench, served)], bench)
    const peaks = (turns.samples.get(NAME) ?? []).map(({ peakBytes }) => (peakBytes ?? Number.NaN) / MB)
    return {
      timings: timingsOf(turns),
      figures: [
        figure('Eight W1 jobs at once / ceiling of one', 'x', ratioOf(turns, NAME, CEILING)),
        figure('Eight W1 jobs at once: peak memory', 'MB', peaks),
      ],
      panel: null,
    }
  },
}

export const LARGE_JOBS = 8
const NAME = 'service, eight jobs'

function eightJobs(bench: Bench, served: Served): Contender {
  return {
    name: NAME,
    absence: null,
    isPeer: false,
    async run() {
      await using service = await startMeasuredService()
      const bodies = Array<string>(LARGE_JOBS).fill(jobBody(served.urls))
      const { wallMs, jobs } = await completeJobs(service.client, bodies, bench.signal)
      for (const { id } of jobs) {
        await bench.verifier.verify(NAME, service.archivePath(id), served.workload)
      }
      return { [NAME]: { wallMs, peakBytes: service.peakBytes(), archiveBytes: null } }
    },
  }
}
