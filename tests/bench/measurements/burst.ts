import { startMeasuredService } from '../measured-service.ts'
import { serve } from '../origin/start.ts'
import { completeJobs, jobBody } from '../service-jobs.ts'
import { BURST, scaled } from '../workloads.ts'
import { figure, type Measurement, onlyFigures } from './measurement.ts'

/** 200 jobs of ten URLs, created simultaneously in a new service. */
export const burst: Measurement = {
  name: 'burst',
  title: '200 jobs of 10 URLs at once',
  async run(bench) {
    await using served = await serve(scaled(BURST, bench.scale))
    const jobCount = Math.ceil(served.urls.length / URLS_PER_JOB)
    const bodies = Array.from({ length: jobCount }, (_, job) =>
      jobBody(served.urls.slice(job * URLS_PER_JOB, (job + 1) * URLS_PER_JOB)),
    )
    const rates: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      await using service = await startMeasuredService()
      const { wallMs, jobs } = await completeJobs(service.client, bodies, bench.signal)
      rates.push((jobs.length / wallMs) * 1000)
      const [first] = jobs
      const workload = { ...served.workload, count: Math.min(URLS_PER_JOB, served.urls.length) }
      if (first !== undefined) {
        await bench.verifier.verify('service, burst', service.archivePath(first.id), workload)
      }
    }
    return onlyFigures([figure('200 jobs of 10 URLs at once', 'jobs/s', rates, { atLeast: 200 })])
  },
}

const URLS_PER_JOB = 10
