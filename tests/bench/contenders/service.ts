import type { Bench } from '../bench.ts'
import { startMeasuredService } from '../measured-service.ts'
import type { Served } from '../origin/start.ts'
import { completeJobs, jobBody } from '../service-jobs.ts'
import { type Contender, type Sample, SERVICE_FIRST, SERVICE_FOURTH } from './contender.ts'

/**
 * The first job of a service that has started a second ago, and its fourth, when its code is compiled. Measured from the POST to
 * `completed`.
 */
export function service(bench: Bench, served: Served, which: 'first' | 'first and fourth'): Contender {
  const names = which === 'first' ? [SERVICE_FIRST] : [SERVICE_FIRST, null, null, SERVICE_FOURTH]
  return {
    name: 'service',
    absence: null,
    isPeer: false,
    async run() {
      await using measured = await startMeasuredService()
      const body = jobBody(served.urls)
      const samples: Record<string, Sample> = {}
      for (const name of names) {
        const { wallMs, jobs } = await completeJobs(measured.client, [body], bench.signal)
        for (const { id, archiveBytes } of jobs) {
          if (name !== null) samples[name] = { wallMs, peakBytes: measured.peakBytes(), archiveBytes }
          await bench.verifier.verify('service', measured.archivePath(id), served.workload)
          await measured.deleteJob(id)
        }
      }
      return samples
    },
  }
}
