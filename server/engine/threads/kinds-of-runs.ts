import { systemCode } from '../../files/system-error.ts'
import { collectAfterList, collectBeforeList } from '../../garbage.ts'
import type { Log } from '../../logging/log.ts'
import type { CheckpointCommit } from '../checkpoint/checkpoint.ts'
import type { InspectionOrder, InspectionOutcome, InspectionRecorder } from '../inspection/inspection.ts'
import type { LargePageReader, LargePageTurns } from '../inspection/large-pages.ts'
import { type JobOrder, type JobOutcome, type JobProgress, type Sources, sourcesFrom } from '../job-order.ts'
import { type JobRecorder, WorkerCrashed } from '../job-runner.ts'
import type { HelperConnection, HelperThreads } from './helper-threads.ts'
import type { FromRun, InspectOrder, PackOrder, PostedInspection, ToRun } from './messages.ts'

/** Begins a run in the main thread. Returns what differs between a job and an inspection there. */
export type BeginRun<Outcome> = (ends: RunEnds<Outcome>) => RunOfKind

/** How a run is answered, and ends. */
export interface RunEnds<Outcome> {
  send(message: ToRun, transferred?: MessagePort[]): void
  resolve(outcome: Outcome): void
  /** Ends the thread of the run, too. */
  reject(error: unknown): void
}

export interface RunOfKind {
  readonly order: PackOrder | InspectOrder
  readonly sources: Sources
  /** Called with each message that only runs of this kind send. */
  handleOwn(message: FromRun): void
  /** Called when the run is over, however it has ended. */
  leave(): void
}

export function beginJob(
  { sources, ...order }: JobOrder,
  recorder: JobRecorder,
  {
    log,
    helpers,
    jobsRunning,
  }: { log: Log; helpers: Pick<HelperThreads, 'connect'> } & Pick<PackOrder, 'jobsRunning'>,
  { send, resolve, reject }: RunEnds<JobOutcome>,
): RunOfKind {
  const job = order.jobId
  let connecting: Promise<HelperConnection> | undefined
  let isOver = false
  collectBeforeList(sources.length)
  return {
    order: { type: 'run', order: { ...order, sourceCount: sources.length }, jobsRunning },
    sources,
    handleOwn(message) {
      switch (message.type) {
        case 'connectHelpers':
          connecting = helpers.connect(() => reject(new WorkerCrashed('a compression helper ended')))
          void connecting.then(({ ports }) => {
            if (!isOver) send({ type: 'helpers', requestId: message.requestId, ports }, [...ports])
          })
          break
        case 'commit':
          void committed(message, recorder).then(send)
          break
        case 'progress': {
          const progress: JobProgress = JSON.parse(message.progress)
          recorder.progress(progress)
          break
        }
        case 'loginAnswered':
          recorder.loginAnswered?.(message.login, message.outcome)
          break
        case 'internalError':
          log.error('a job failed unexpectedly', { job, error: message.error })
          break
        case 'hostGivenUp': {
          const { host, error } = message
          log.warn('a host does not respond: its remaining URLs fail at once', { job, host, error })
          break
        }
        case 'proxyFailed':
          log.warn(`the ${message.proxy} ${message.problem}`, { job })
          break
        case 'end':
          collectAfterList(sources.length)
          resolve(message.outcome)
          break
      }
    },
    leave() {
      isOver = true
      void connecting?.then((connection) => connection[Symbol.dispose]())
    },
  }
}

export function beginInspection(
  order: InspectionOrder,
  recorder: InspectionRecorder,
  { log, largePages }: { log: Log; largePages: Pick<LargePageTurns, 'request' | 'leave'> },
  { send, resolve }: RunEnds<InspectionOutcome>,
): RunOfKind {
  let turnId = 0
  const pageReader: LargePageReader = {
    group: order.group,
    granted: () => send({ type: 'largePageGranted', turnId }),
    revoked: () => send({ type: 'largePageRevoked', turnId }),
  }
  return {
    order: { type: 'inspect', order: JSON.stringify(posted(order)) },
    sources: order.kind === 'probe' ? order.sources : sourcesFrom([]),
    handleOwn(message) {
      switch (message.type) {
        case 'requestLargePage':
          turnId = message.turnId
          largePages.request(pageReader)
          break
        case 'releaseLargePage':
          largePages.leave(pageReader)
          break
        case 'found':
          recorder.found(message.json)
          break
        case 'loginAnswered':
          recorder.loginAnswered(message.login, message.outcome)
          break
        case 'proxyFailed':
          log.warn(`the ${message.proxy} ${message.problem}`)
          break
        case 'inspectionEnd':
          resolve(message.outcome)
          break
      }
    },
    leave: () => largePages.leave(pageReader),
  }
}

function posted(order: InspectionOrder): PostedInspection {
  if (order.kind === 'page') return order
  const { sources, ...rest } = order
  return { ...rest, sourceCount: sources.length }
}

type Commit = Extract<FromRun, { readonly type: 'commit' }>

/** If rows can't be written, for example because the disk is full, the job fails and keeps its checkpoint. */
async function committed({ requestId, batch }: Commit, recorder: JobRecorder): Promise<ToRun> {
  try {
    const changes: CheckpointCommit = JSON.parse(batch)
    await recorder.commit(changes)
    return { type: 'committed', requestId }
  } catch (error) {
    return { type: 'commitFailed', requestId, error: String(error), code: systemCode(error) }
  }
}
