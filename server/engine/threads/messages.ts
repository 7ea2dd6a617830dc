/*
 * The messages between a job's thread and the main thread.
 *
 * Each of a run has the id of its run: a thread runs one after the other, and messages of the last one may still be on their way.
 * Within a run, a message has an id where it could be taken for one about something else:
 *
 *   requestId   `readSources`, `connectHelpers` and `commit` with their answers: several may wait, and are answered when their work is
 *               done. The messages to a helper have ids of the same kind (`bodies/helpers.ts`).
 *   leaseId     a connection, from its grant to its release or revocation: the job may release one while the main thread revokes it.
 *               When only its host was named, the job lost another one.
 *   turnId      the turn of a large page, for the same reason.
 *
 * The others need none. A request for a connection says all that there is to say about it, so it does not matter which of several a
 * grant answers. A run has at most one request for rate and one turn at a time: a grant of rate answers the only request, and it is the
 * last turn that is released. The rest are news, of which each stands for itself; of `connectionsAllowed`, the last counts.
 */

import type { FetchSettings } from '../../fetching/fetch-settings.ts'
import type { LoginOutcome, SavedLogin } from '../../fetching/headers/origin-headers.ts'
import type { GrantedConnection, LeaseUse, Verdict } from '../connections/lease.ts'
import type { InspectionOutcome, PageOrder, ProbeOrder } from '../inspection/inspection.ts'
import type { JobOrder, JobOutcome } from '../job-order.ts'

/** A job order as it is posted: the thread asks for the sources when it needs them. */
export interface PostedOrder extends Omit<JobOrder, 'sources'> {
  readonly sourceCount: number
}

/** An inspection as it is posted. The thread asks for the sources of a list, too. */
export type PostedInspection = PageOrder | (Omit<ProbeOrder, 'sources'> & { readonly sourceCount: number })

/** Requests a connection to a host, releases one, or raises the connection limit of the host. */
export type LeaseChange =
  | { readonly kind: 'request'; readonly host: string; readonly use: LeaseUse }
  | { readonly kind: 'release'; readonly leaseId: number; readonly verdict: Verdict }
  | { readonly kind: 'raise'; readonly host: string; readonly connections: number }

/** A message of one run, in either direction. If that run has ended meanwhile, the receiver ignores it. */
export type OfRun<Message> = Message & { readonly runId: number }

/** From the main thread to a worker, which runs one job at a time. */
export type ToWorker =
  /** Set the number to 1 and wake the threads that wait for that: this thread has started. */
  | { readonly type: 'reportStart'; readonly started: Int32Array<SharedArrayBuffer> }
  /** Compress the texts and hash the bodies that are asked for at this port. The thread can run jobs again when the port is closed. */
  | { readonly type: 'compress'; readonly port: MessagePort }
  | OfRun<RunOrder>
  /** So many connections may be open in this thread, idle ones included. Sent before the grants that need it. */
  | { readonly type: 'connectionsAllowed'; readonly count: number }
  | OfRun<ToRun>

/** What a run begins with: a job, or an inspection. */
export type RunOrder = RunReach & (PackOrder | InspectOrder)

/** How its sources are reached. */
export interface RunReach {
  readonly connectionsPerHost: number
  readonly fetching: FetchSettings
}

export interface PackOrder {
  readonly type: 'run'
  readonly order: PostedOrder
  /** One number that the main thread keeps up to date: how many jobs are running, this one included. */
  readonly jobsRunning: Int32Array<SharedArrayBuffer>
}

export interface InspectOrder {
  readonly type: 'inspect'
  /** A `PostedInspection` as JSON, as in `commit`. */
  readonly order: string
}

/** From the main thread to a run. A `requestId` is that of the request which this message answers. */
export type ToRun =
  /** Stop the job, keep its checkpoint, and answer with `end`. */
  | { readonly type: 'stop' }
  /** `sources` are `SourceToPack[]` as JSON, as in `commit`. */
  | { readonly type: 'sources'; readonly requestId: number; readonly sources: string }
  /** One port per helper that compresses texts and hashes bodies. */
  | { readonly type: 'helpers'; readonly requestId: number; readonly ports: readonly MessagePort[] }
  | { readonly type: 'committed'; readonly requestId: number }
  /** The rows could not be written; `code` is the system's code of the error, or empty. */
  | {
      readonly type: 'commitFailed'
      readonly requestId: number
      readonly error: string
      readonly code: string
    }
  /** These connections may be opened. */
  | { readonly type: 'leasesGranted'; readonly grants: readonly GrantedConnection[] }
  /** This connection is needed for others: abort its attempt and release it. */
  | { readonly type: 'leaseRevoked'; readonly grant: GrantedConnection }
  /** So many bytes may be read from sources. */
  | { readonly type: 'rateGranted'; readonly sizeBytes: number }
  /** The inspection may have a large page in memory, until it sends `releaseLargePage`. */
  | { readonly type: 'largePageGranted'; readonly turnId: number }
  /** Others have waited long enough for that page to arrive. */
  | { readonly type: 'largePageRevoked'; readonly turnId: number }

/** From a worker to the main thread. */
export type FromWorker = OfRun<FromRun>

/** From a run to the main thread. */
export type FromRun =
  /** Sent each second while a job runs: a thread that stops sending it has hung. */
  | { readonly type: 'heartbeat' }
  /** Asks for the sources from position `first` to before `end`. */
  | {
      readonly type: 'readSources'
      readonly requestId: number
      readonly first: number
      readonly end: number
    }
  /** Asks for `helpers`, at most once per run. */
  | { readonly type: 'connectHelpers'; readonly requestId: number }
  /** `batch` is a `CheckpointCommit` as JSON: copying thousands of objects to another thread takes four times as long. */
  | { readonly type: 'commit'; readonly requestId: number; readonly batch: string }
  | { readonly type: 'changeLeases'; readonly changes: readonly LeaseChange[] }
  /** Asks for `rateGranted`, with more bytes than these, which were read too many. Only when the rate is limited. */
  | { readonly type: 'requestRate'; readonly owedBytes: number }
  /** `progress` is a `JobProgress` as JSON. */
  | { readonly type: 'progress'; readonly progress: string }
  /** An error of the program itself, not of a source, for the log. */
  | { readonly type: 'internalError'; readonly error: string }
  /** A host was given up in this run: for the log of a job. What an inspection reports of its URLs says it already. */
  | { readonly type: 'hostGivenUp'; readonly host: string; readonly error: string }
  /** A proxy did this for the first time in this run, for the log. */
  | { readonly type: 'proxyFailed'; readonly proxy: string; readonly problem: string }
  /** As `JobRecorder.loginAnswered`. */
  | { readonly type: 'loginAnswered'; readonly login: SavedLogin; readonly outcome: LoginOutcome }
  | { readonly type: 'end'; readonly outcome: JobOutcome }
  /** Asks for `largePageGranted`. An inspection has one large page at a time. */
  | { readonly type: 'requestLargePage'; readonly turnId: number }
  | { readonly type: 'releaseLargePage' }
  /**
   * JSON of what an inspection has found, which the main thread passes on as it is: a list of links, or a line per result. In UTF-8: the
   * links of a page may be 15 MB, which are transferred and not copied.
   */
  | { readonly type: 'found'; readonly json: Uint8Array<ArrayBuffer> }
  | { readonly type: 'inspectionEnd'; readonly outcome: InspectionOutcome }
