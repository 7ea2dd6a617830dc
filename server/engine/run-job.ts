import { HOST_GARBAGE_BYTES } from '../garbage.ts'
import { BaseArchive } from './base/base-archive.ts'
import { type InPlaceArchive, InPlaceBody } from './bodies/in-place.ts'
import type { PartialEntry } from './checkpoint/checkpoint.ts'
import { completeJob, findCompleted } from './complete-job.ts'
import { openConnections } from './connections/open-connections.ts'
import type { JobEnvironment } from './job-environment.ts'
import { failureOf } from './job-failure.ts'
import type { JobOrder, JobOutcome } from './job-order.ts'
import { LateDoubts } from './settling/late-doubts.ts'
import { packSources } from './sources/pack-sources.ts'
import { openUnfinishedArchive, type UnfinishedArchive } from './unfinished-archive.ts'

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
    return (await findCompleted(order, stop)) ?? (await packAndComplete(order, environment, stop))
  } catch (error) {
    if (stop.aborted) return { status: 'stopped' }
    const failure = failureOf(error)
    if (failure.code === 'INTERNAL_ERROR') environment.internalError(error)
    return { status: 'failed', failure }
  }
}

async function packAndComplete(
  order: JobOrder,
  environment: JobEnvironment,
  stop: AbortSignal,
): Promise<JobOutcome> {
  const aborter = new AbortController()
  const signal = AbortSignal.any([aborter.signal, stop])
  const abort = (error: unknown) => aborter.abort(error)
  await using archive = await openUnfinishedArchive(order, environment, { signal, abort })
  using base = order.base === null ? null : BaseArchive.open(order.base, signal)
  const { sources, failOnUrlError, failOnWarning, hasManifest, maxDeclaredBytes, earlyReaders } = order
  const readerCount = () => (earlyReaders === null ? 0 : Atomics.load(earlyReaders, 0))
  using connections = openConnections(order, environment.connecting, { signal, readerCount })
  await packSources({
    sources,
    failOnUrlError,
    failOnWarning,
    hasManifest,
    maxDeclaredBytes,
    earlyReaders,
    fetchContext: connections.fetchContext,
    archive,
    base,
    resumed: await resumeBodies(archive, archive.checkpointer.known.partial()),
    connect() {
      archive.garbage.counted(HOST_GARBAGE_BYTES)
      return connections.connect()
    },
    connectionsPerHost: environment.connecting.connectionsPerHost,
    doubts: new LateDoubts(),
  })
  // A stop while no body was in progress has thrown nothing, but sources were skipped.
  stop.throwIfAborted()
  return await completeJob(order, archive)
}

/** The in-place bodies that an earlier run began to receive, by the positions of their URLs. */
async function resumeBodies(
  archive: InPlaceArchive & Pick<UnfinishedArchive, 'dropPartial'>,
  partial: readonly PartialEntry[],
): Promise<Map<number, InPlaceBody>> {
  const resumed = new Map<number, InPlaceBody>()
  for (const entry of partial) {
    const body = await InPlaceBody.resume(archive, entry)
    if (body === null) await archive.dropPartial(entry)
    else resumed.set(entry.position, body)
  }
  return resumed
}
