import { FetchFailure, zipSizeLimitText } from '../fetching/fetch-failure.ts'
import { afterRunning } from '../running-time.ts'
import { completeJob, findCompleted } from './complete-job.ts'
import { forEachSource } from './for-each-source.ts'
import { HeldVerification } from './held-verification.ts'
import { failureOf, SourcesFailed } from './job-failure.ts'
import type { JobOrder, JobOutcome, Source } from './job-order.ts'
import type { JobPorts } from './job-ports.ts'
import { OpenJob } from './open-job.ts'
import { packSource } from './pack-source.ts'
import { ZipSizeExceeded } from './size-limit.ts'

/**
 * Runs one job from wherever it stands to its end: fetches what its checkpoint doesn't hold, packs it, and makes
 * the file an archive. Never rejects.
 * @param stop aborted by whoever wants the job to stop and keep its checkpoint
 */
export async function runJob(order: JobOrder, ports: JobPorts, stop: AbortSignal): Promise<JobOutcome> {
  try {
    const completed = await findCompleted(order, stop)
    if (completed !== null) return completed
    await using job = await OpenJob.open(order, ports, stop)
    await packSources(order, job)
    // A stop may have come where no body was under way to be broken off: then sources were left out.
    stop.throwIfAborted()
    return await completeJob(order, job)
  } catch (error) {
    if (stop.aborted) return { status: 'stopped' }
    const failure = failureOf(error)
    if (failure.code === 'INTERNAL_ERROR') ports.report(error)
    return { status: 'failed', failure }
  }
}

/** @throws SourcesFailed when so many failed that there is no archive; what was packed is in the checkpoint */
async function packSources(order: JobOrder, job: OpenJob): Promise<void> {
  using timers = new DisposableStack()
  let isInGrace = false
  const onFailed = (position: number, error: string) => {
    job.failed(position, error)
    if (!order.failOnUrlError || isInGrace) return
    isInGrace = true
    timers.use(afterRunning(STRICT_GRACE_MS, () => job.abort(new GraceOver())))
  }

  const pack = async (source: Source, position: number) => {
    const known = job.checkpointer.entry(position)
    if (known?.status === 'stored') return
    if (known?.status === 'failed') return onFailed(position, known.error)
    try {
      await packSource(job, position, source, job.earlier(position))
    } catch (error) {
      if (error instanceof FetchFailure) return onFailed(position, error.text)
      if (error instanceof ZipSizeExceeded) job.failed(position, zipSizeLimitText(error.maxBytes))
      job.abort(error)
    }
  }
  const isHopeless = () => {
    const failedCount = job.checkpointer.failedCount()
    return order.failOnUrlError ? failedCount > 0 : failedCount === order.sources.length
  }

  await using verification = new HeldVerification(job)
  await forEachSource(order.sources, job.signal, pack)
  const lost = isHopeless() ? [] : await verification.lost
  if (lost.length > 0) {
    const isLost = new Set(lost)
    await forEachSource(order.sources, job.signal, async (source, position) => {
      if (isLost.has(position)) await pack(source, position)
    })
  }
  timers.dispose()

  const error = await job.settle()
  if (error !== null && !(error instanceof GraceOver)) throw error
  if (isHopeless())
    throw new SourcesFailed(job.checkpointer.failedCount(), order.sources.length, order.failOnUrlError)
}

/** Ends a job that may not go on without a URL that failed. */
class GraceOver extends Error {}

/** Long enough to find most dead links of a list in one try; what is fetched meanwhile is kept. */
const STRICT_GRACE_MS = 10_000
