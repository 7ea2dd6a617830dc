import type { Bench } from '../bench.ts'
import { startMeasuredService } from '../measured-service.ts'
import type { Served } from '../origin/start.ts'
import { completeJobs, jobBody } from '../service-jobs.ts'
import { ceiling } from './ceiling.ts'
import { type Contender, type Sample, SERVICE_FOURTH } from './contender.ts'
import { curlAndZip } from './download-and-zip.ts'
import { zipCommand } from './zip-command.ts'

/** The same work several times simultaneously, as processes or as jobs of one service. */
export function atOnce(bench: Bench, served: Served, times: number): Contender[] {
  return [
    ...[ceiling, zipCommand, curlAndZip].map((contender) => together(contender(bench, served), times)),
    jobs(bench, served, times),
  ]
}

/** All start at the same time, and the time of the slowest counts. */
function together(contender: Contender, times: number): Contender {
  return {
    ...contender,
    async run() {
      const runs = await Promise.all(Array.from({ length: times }, () => contender.run()))
      const slowest = new Map<string, Sample>()
      for (const [name, sample] of runs.flatMap((samples) => Object.entries(samples))) {
        if (sample.wallMs > (slowest.get(name)?.wallMs ?? 0)) slowest.set(name, sample)
      }
      return Object.fromEntries(slowest)
    },
  }
}

/** Runs three such rounds first, so that the code of the service is compiled, as for a fourth job. */
function jobs(bench: Bench, served: Served, times: number): Contender {
  return {
    name: 'service',
    absence: null,
    isPeer: false,
    async run() {
      await using service = await startMeasuredService()
      const bodies = Array<string>(times).fill(jobBody(served.urls))
      for (let earlier = 0; earlier < 3; earlier++)
        await completeJobs(service.client, [bodies[0] ?? ''], bench.signal)
      const { wallMs, jobs } = await completeJobs(service.client, bodies, bench.signal)
      for (const { id } of jobs) {
        await bench.verifier.verify('service, at once', service.archivePath(id), served.workload)
      }
      return { [SERVICE_FOURTH]: { wallMs, peakBytes: service.peakBytes(), archiveBytes: null } }
    },
  }
}
