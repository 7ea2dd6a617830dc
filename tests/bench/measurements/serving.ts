import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { JobJson } from '../../../server/http/jobs/schemas.ts'
import type { Bench } from '../bench.ts'
import { runCommand } from '../command.ts'
import { absenceOf, type Contender } from '../contenders/contender.ts'
import { type MeasuredService, startMeasuredService } from '../measured-service.ts'
import { startNginx } from '../nginx.ts'
import { serve } from '../origin/start.ts'
import { completeJobs, jobBody } from '../service-jobs.ts'
import { takeTurns } from '../take-turns.ts'
import { ONE_GB, scaled } from '../workloads.ts'
import { figure, MB, type Measurement, ratioOf, timingsOf } from './measurement.ts'

/** Downloads of a finished archive of 1 GB, by one curl and by fifty simultaneous ones. */
export const serving: readonly Measurement[] = [1, 50].map((clients) => ({
  name: `serve-${clients}`,
  title: `Serving 1 GB to ${clients === 1 ? 'one client' : `${clients} clients`}`,
  run: (bench) => measure(bench, clients),
}))

const HOLDALL = 'holdall'
const NGINX = 'nginx, sendfile'
const NGINX_NOPUSH = 'nginx, sendfile and tcp_nopush'

async function measure(bench: Bench, clients: number) {
  await using service = await startMeasuredService()
  const archive = await createArchive(bench, service)
  await using nginx = absenceOf('nginx') === null ? await startNginx(bench, dirname(archive.path)) : null
  const { sizeBytes } = archive
  const fromNginx = (name: string, address: string | undefined): Contender => ({
    ...downloads(bench, { name, url: `${address}/${basename(archive.path)}`, sizeBytes, clients }),
    absence: absenceOf('nginx'),
    isPeer: true,
  })
  const turns = await takeTurns(
    [
      downloads(bench, { name: HOLDALL, url: archive.url, sizeBytes, clients }),
      fromNginx(NGINX, nginx?.address),
      fromNginx(NGINX_NOPUSH, nginx?.addressWithNopush),
    ],
    { ...bench, rounds: clients === 1 ? bench.rounds * DOWNLOADS_PER_ROUND : bench.rounds },
  )
  const samples = turns.samples.get(HOLDALL) ?? []
  const rates = samples.map(({ wallMs }) => (sizeBytes * clients) / MB / (wallMs / 1000))
  const what = `Serving 1 GB to ${clients}`
  return {
    timings: timingsOf(turns),
    figures: [
      figure(`${what}: throughput`, 'MB/s', rates),
      figure(
        `${what}: throughput / nginx with sendfile`,
        'x',
        ratioOf(turns, NGINX, HOLDALL),
        null,
        absenceOf('nginx'),
      ),
      // Over loopback, `tcp_nopush` saves half of the segments, and over a network one of 46.
      figure(
        `${what}: throughput / nginx with sendfile and tcp_nopush`,
        'x',
        ratioOf(turns, NGINX_NOPUSH, HOLDALL),
        null,
        absenceOf('nginx'),
      ),
    ],
    panel: null,
  }
}

interface Archive {
  readonly path: string
  readonly url: string
  readonly sizeBytes: number
}

async function createArchive(bench: Bench, service: MeasuredService): Promise<Archive> {
  await using served = await serve(scaled(ONE_GB, bench.scale))
  const { jobs } = await completeJobs(service.client, [jobBody(served.urls)], bench.signal)
  const id = jobs[0]?.id ?? ''
  const path = service.archivePath(id)
  await bench.verifier.verify('service, serving', path, served.workload)
  const response = await service.client.request('GET', `/jobs/${id}`)
  const { job }: { job: JobJson } = JSON.parse(await response.text())
  return { path, url: job.download_url ?? '', sizeBytes: statSync(path).size }
}

interface DownloadOptions {
  readonly name: string
  readonly url: string
  readonly sizeBytes: number
  readonly clients: number
}

function downloads(bench: Bench, { name, url, sizeBytes, clients }: DownloadOptions): Contender {
  return {
    name,
    absence: null,
    isPeer: false,
    async run() {
      const startedMs = performance.now()
      await downloadAtOnce()
      return { [name]: { wallMs: performance.now() - startedMs, peakBytes: null, archiveBytes: null } }
    },
  }

  async function downloadAtOnce(): Promise<void> {
    const runs = await Promise.all(
      Array.from({ length: clients }, () =>
        runCommand(['curl', '-s', '-f', '-o', '/dev/null', '-w', '%{size_download}', url], {
          cwd: bench.workDir,
          signal: bench.signal,
        }),
      ),
    )
    const received = runs.map(({ stdout }) => Number(stdout))
    if (!received.every((bytes) => bytes === sizeBytes)) {
      throw new Error(`${name} sent ${received} bytes of ${sizeBytes}.`)
    }
  }
}

/**
 * How many downloads one client makes in a round, each in turn with the others. One download takes from 0.15 to 0.5 s, depending on
 * the processors that the client and the service get.
 */
const DOWNLOADS_PER_ROUND = 8
