import type { Bench } from '../bench.ts'
import { startMeasuredService } from '../measured-service.ts'
import { serve } from '../origin/start.ts'
import { completeJobs, jobBody } from '../service-jobs.ts'
import { scaled, W1, W2, W4, type Workload } from '../workloads.ts'
import { figure, MB, type Measurement, onlyFigures } from './measurement.ts'

/** The peak memory of the service, for its first job and for ten jobs one after another. */
export const memory: readonly Measurement[] = [W1, W2, W4].map((workload) => ({
  name: `memory-${workload.name}`,
  title: `Memory of ten jobs: ${workload.title}`,
  run: (bench) => measure(bench, workload),
}))

const JOBS = 10

async function measure(bench: Bench, workload: Workload) {
  await using served = await serve(scaled(workload, bench.scale))
  const body = jobBody(served.urls)
  const first: number[] = []
  const last: number[] = []
  for (let round = 0; round < bench.rounds; round++) {
    await using service = await startMeasuredService()
    for (let job = 1; job <= JOBS; job++) {
      const { jobs } = await completeJobs(service.client, [body], bench.signal)
      if (job === 1) first.push(service.peakBytes() / MB)
      if (job === JOBS) last.push(service.peakBytes() / MB)
      for (const { id } of jobs) {
        await bench.verifier.verify('service, memory', service.archivePath(id), served.workload)
        await service.deleteJob(id)
      }
    }
  }
  const what = `${workload.name}, service: peak memory`
  return onlyFigures([
    figure(`${what} of the first job`, 'MB', first, { atMost: 140 }),
    figure(`${what} of ten jobs in a row`, 'MB', last, { atMost: 140 }),
  ])
}
