import { FetchFailure, zipSizeLimitText } from '../fetching/fetch-failure.ts'
import { unpausedTimeout } from '../time/unpaused-time.ts'
import type { BaseArchive } from './base/base-archive.ts'
import { EntryVerification } from './base/verification.ts'
import { completeJob, findCompleted } from './complete-job.ts'
import { HostConnection } from './connections/host-connection.ts'
import type { JobEnvironment } from './job-environment.ts'
import { failureOf, SourcesFailed } from './job-failure.ts'
import type { JobOrder, JobOutcome } from './job-order.ts'
import { ZipSizeExceeded } from './limits/size.ts'
import { OpenJob } from './open-job.ts'
import { forEachSource } from './sources/for-each-source.ts'
import { groupByHost, type ListedSource } from './sources/listed-source.ts'
import { packSource } from './sources/pack-source.ts'

/**
 * Runs one job from its checkpoint to its end: fetches the missing sources, packs them and finishes the archive. Never
 * rejects.
 * @param stop when aborted, the job stops and keeps its checkpoint
 */
export async function runJob(
  order: JobOrder,
  environment: JobEnvironment,
  stop: AbortSignal,
): Promise<JobOutcome> {
  try {
    const completed = await findCompleted(order, stop)
    if (completed !== null) return completed
    await using job = await OpenJob.open(order, environment, stop)
    await packSources(order, job)
    // A stop while no body was in progress has thrown nothing, but sources were skipped.
    stop.throwIfAborted()
    return await completeJob(order, job)
  } catch (error) {
    if (stop.aborted) return { status: 'stopped' }
    const failure = failureOf(error)
    if (failure.code === 'INTERNAL_ERROR') environment.internalError(error)
    return { status: 'failed', failure }
  }
}

/** @throws SourcesFailed when too many sources failed; the packed ones are in the checkpoint */
async function packSources(order: JobOrder, job: OpenJob): Promise<void> {
  using timers = new DisposableStack()
  let isInGrace = false
  const onFailed = (position: number, error: string) => {
    job.failed(position, error)
    if (!order.failOnUrlError || isInGrace) return
    isInGrace = true
    timers.use(unpausedTimeout(STRICT_GRACE_MS, () => job.abort(new GraceOver())))
  }

  const skipped = new Set<number>()
  const pack = async (source: ListedSource, connection: HostConnection): Promise<void> => {
    const { position } = source
    const known = job.checkpointer.entry(position)
    if (known?.status === 'stored') skipped.add(position)
    else if (known?.status === 'failed') onFailed(position, known.error)
    else await copyOrPack(job, source, connection)
  }
  const connect = () => new HostConnection(job.leases, job.availability)
  const onError = ({ position }: ListedSource, error: unknown) => {
    if (error instanceof FetchFailure) return onFailed(position, error.text)
    if (error instanceof ZipSizeExceeded) job.failed(position, zipSizeLimitText(error.maxBytes))
    job.abort(error)
  }
  const hasFailed = () => {
    const failedCount = job.checkpointer.failedCount()
    return order.failOnUrlError ? failedCount > 0 : failedCount === order.sources.length
  }

  await using verification = new EntryVerification(job)
  const hosts = await groupByHost(order.sources, job.signal)
  await forEachSource(hosts, connect, pack, onError, job.signal)
  const damaged = new Set(hasFailed() ? [] : await verification.damaged)
  // The other damaged entries were dropped before `pack` reached them, so they have already been fetched again.
  const missing = damaged.intersection(skipped)
  if (missing.size > 0) {
    const packMissing: typeof pack = async (source, connection) => {
      if (missing.has(source.position)) await pack(source, connection)
    }
    await forEachSource(hosts, connect, packMissing, onError, job.signal)
  }
  timers.dispose()

  const error = await job.settle()
  if (error !== null && !(error instanceof GraceOver)) throw error
  if (hasFailed())
    throw new SourcesFailed(job.checkpointer.failedCount(), order.sources.length, order.failOnUrlError)
}

function copyOrPack(job: OpenJob, source: ListedSource, connection: HostConnection): Promise<void> {
  const earlier = job.resumedBody(source.position)
  const base = earlier === null && job.base?.reuse === 'all' ? job.base : null
  if (base === null) return packSource(job, source, connection, earlier)
  return copyElsePack(job, base, source, connection)
}

/** Copies the entry of a source from the base if that needs no request. Packs the source if there is none, or it is damaged. */
async function copyElsePack(
  job: OpenJob,
  base: BaseArchive,
  source: ListedSource,
  connection: HostConnection,
): Promise<void> {
  // A copy needs no connection, and thousands of copies may follow.
  connection.release('healthy')
  const { base: entry } = await source.read()
  const isCopied = entry !== undefined && (await base.copy(job, source.position, entry))
  if (!isCopied) await packSource(job, source, connection, null)
}

/** Ends a strict job some time after its first failed URL. */
class GraceOver extends Error {}

/** Long enough to find most dead links of a list in one run. Bodies that are fetched meanwhile are kept. */
const STRICT_GRACE_MS = 10_000
