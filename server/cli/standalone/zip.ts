// server/decisions/command-line.md says what the command locks and remembers, and why.

import { dirname } from 'node:path'
import { fetchSettingsOf } from '../../config/source-settings.ts'
import { lockTransientFile } from '../../data/file-lock.ts'
import type { CheckpointChange, CheckpointEntry, EntryWarning } from '../../engine/checkpoint/checkpoint.ts'
import { checkpointBytes } from '../../engine/checkpoint/spaces.ts'
import { connectionsAt } from '../../engine/connections/pool/rate-shares.ts'
import {
  type CompletedArchive,
  type EntryProgress,
  type JobOutcome,
  partPathOf,
  sourcesFrom,
} from '../../engine/job-order.ts'
import { WorkerCrashed } from '../../engine/job-runner.ts'
import { reclaimSpace } from '../../engine/reclaim.ts'
import { openLocalRunner } from '../../engine/threads/local-runner.ts'
import type { FailureText } from '../../fetching/attempts/fetch-failure.ts'
import { totalBytes } from '../../files/free-space.ts'
import { refusalOf } from '../../files/refusal.ts'
import { refusedPath } from '../../files/system-error.ts'
import { formatBytes } from '../../text/format-bytes.ts'
import { printable } from '../../text/printable.ts'
import { type Command, type CommandContext, CommandError } from '../command.ts'
import { refusedAccess } from '../sources/source-logins.ts'
import { assertFree } from './files-beside.ts'
import { recordPathOf, writeArchiveRecord } from './records/archive-record.ts'
import { CheckpointJournal } from './records/journal.ts'
import type { JournalChange } from './records/schemas.ts'
import { readZipRequest, type ZipRequest } from './zip-request.ts'
import { barView, jsonView, lineView, type ZipView } from './zip-view.ts'

/**
 * `holdall zip`: packs an archive without the service. Until the archive is complete, fetched files and the checkpoint
 * are kept next to it, so that the same command continues after any interruption.
 */
export const zip: Command = async (args, context) => {
  const request = readZipRequest(args, context.env)
  try {
    await pack(request, context)
  } catch (error) {
    const path = refusedPath(error)
    if (path === null) throw error
    throw new CommandError(`${path} ${refusalOf(error)}. Move it away, or choose another file with -o.`)
  }
}

async function pack(request: ZipRequest, { files, stopped, print }: CommandContext): Promise<void> {
  const { sources, output, config } = request
  const journalPath = `${output}.part.json`
  const lockPath = `${output}.part.lock`
  assertFree([partPathOf({ archivePath: output }), journalPath, lockPath, recordPathOf(output)])
  using _lock = lockOutput(output, lockPath)
  using journal = new CheckpointJournal(journalPath, sources)
  const view = viewOf(request, print)
  for (const line of [...request.unfetchable, ...request.mirrors]) console.error(line)
  const internalErrors: unknown[] = []
  const results = { failures: new Map<number, string>(), warnings: knownWarnings(journal.checkpoint.entries) }
  const { failures } = results
  const runner = openLocalRunner({
    workerUrl: files.workerUrl,
    bounds: {
      total: connectionsAt(config.limitRate, config.connections),
      perHost: config.hostConnections,
    },
    nowMs: () => performance.now(),
    fetching: fetchSettingsOf(config, request.proxies),
    proxyFailed: (proxy, problem) => console.error(`The ${proxy} ${problem}.`),
    internalError(error) {
      internalErrors.push(error)
      if (refusedPath(error) === null) console.error(error)
    },
    hostGivenUp: (host, error) =>
      console.error(`${printable(host)}: ${error}. Its remaining URLs are not tried.`),
  })
  const outcome = await runner
    .run(
      {
        jobId: output,
        group: output,
        archivePath: output,
        sources: sourcesFrom(sources),
        failOnUrlError: !request.keepGoing,
        failOnWarning: request.failOnWarning,
        hasManifest: request.hasManifest,
        maxZipBytes: Number.MAX_SAFE_INTEGER,
        maxDeclaredBytes: totalBytes(dirname(output)),
        checkpoint: journal.checkpoint,
        earlyReaders: null,
        base: request.base,
        network: { allowedNetworks: config.allowNetworks, ownPort: null },
        ...request.logins,
      },
      {
        progress(progress) {
          view.progress(progress)
          for (const entry of progress.entries) note(results, entry)
        },
        commit: async ({ changes, durable }) => journal.append(unsettled(changes), durable),
      },
      stopped,
    )
    .catch(throwCrash)
  view.end(outcome)
  const refused = internalErrors.find((error) => refusedPath(error) !== null)
  if (refused !== undefined) throw refused
  listFailures(request, failures)
  listWarnings(request, results.warnings)
  if (outcome.status === 'completed') {
    // Reading the journal needs memory for all entries of the list, so it is read only where they are needed.
    const entries = request.remember || request.base !== null ? journal.kept().entries : []
    if (request.remember) writeArchiveRecord(output, sources, entries, outcome.changed)
    journal.remove()
    const summary = summaryOf(outcome, {
      failedCount: failures.size + request.unfetchable.length,
      wrongCount: results.warnings.size,
      reused: request.base === null ? null : reusedCount(entries),
    })
    if (request.failOnWarning && hasWrong(results)) throw new CommandError(summary)
    console.error(summary)
  } else {
    const kept = journal.kept()
    await reclaimSpace({ archivePath: output }, kept)
    if (checkpointBytes(kept).endOffset === 0) journal.remove()
    throw new CommandError(refusal(outcome))
  }
}

/** The order has no early readers, so that no change settles anything. */
function unsettled(changes: readonly CheckpointChange[]): readonly JournalChange[] {
  const isUnsettled = (change: CheckpointChange): change is JournalChange => change.kind !== 'settle'
  if (!changes.every(isUnsettled)) throw new TypeError('nobody reads the archive while it is packed')
  return changes
}

function throwCrash(error: unknown): never {
  if (!(error instanceof WorkerCrashed)) throw error
  throw new CommandError(
    `Something went wrong in Holdall (${error.message}). Run the same command again to continue.`,
  )
}

/** Two commands that write to one file would destroy both archives. The lock file is next to the output. */
function lockOutput(output: string, lockPath: string): Disposable {
  const lock = lockTransientFile(lockPath)
  if (lock === null) {
    throw new CommandError(
      `Another holdall zip is writing ${output}. Wait for it, or choose another file with -o.`,
    )
  }
  return lock
}

function viewOf({ asJson, sources }: ZipRequest, print: (line: string) => void): ZipView {
  if (asJson) return jsonView(print)
  if (process.stderr.isTTY) return barView(process.stderr, sources.length)
  return lineView((line) => console.error(line), sources.length)
}

/** Prints one line per failed URL, in the order of the list, and a remedy if there is one. */
function listFailures({ sources, logins }: ZipRequest, failures: ReadonlyMap<number, string>): void {
  for (const [position, error] of [...failures].sort(([a], [b]) => a - b)) {
    const [source] = sources.slice(position, position + 1)
    console.error(`${printable(source?.url ?? '')}: ${error}`)
  }
  if ([...failures.values()].includes('Address not allowed')) {
    console.error('To fetch from private and local addresses, allow their network with --allow-network.')
  }
  if ([...failures.values()].some((error) => error === 'HTTP 401' || error === 'HTTP 403')) {
    console.error(`A source refused access. ${refusedAccess(logins)}`)
  }
}

/** Prints one line per file that looks wrong, in the order of the list. */
function listWarnings({ sources }: ZipRequest, warnings: Results['warnings']): void {
  for (const [position, { message }] of [...warnings].sort(([a], [b]) => a - b)) {
    const [source] = sources.slice(position, position + 1)
    console.error(`${printable(source?.url ?? '')}: ${message}`)
  }
}

function reusedCount(entries: readonly CheckpointEntry[]): number {
  return entries.filter((entry) => entry.status === 'stored' && entry.isReused).length
}

interface Counts {
  readonly failedCount: number
  readonly wrongCount: number
  /** How many entries were copied from the base; null without one. */
  readonly reused: number | null
}

function summaryOf({ fileCount, zipBytes }: CompletedArchive, counts: Counts): string {
  const { failedCount, wrongCount, reused } = counts
  const without = failedCount === 0 ? '' : `, without ${failedCount} that failed`
  const copied = reused === null ? '' : `, ${reused} copied from the base`
  const wrong =
    wrongCount === 0 ? '' : `. ${wrongCount === 1 ? '1 file looks' : `${wrongCount} files look`} wrong`
  return `${fileCount} ${fileCount === 1 ? 'file' : 'files'}, ${formatBytes(zipBytes)}${copied}${without}${wrong}`
}

function refusal(outcome: Exclude<JobOutcome, { status: 'completed' }>): string {
  if (outcome.status === 'stopped') return 'Stopped. Run the same command again to continue.'
  return `${outcome.failure.message} Run the same command again to continue with what was fetched.`
}

/** What is to be said of the URLs at the end, by position. */
interface Results {
  readonly failures: Map<number, string>
  readonly warnings: Map<number, EntryWarning>
}

function note({ failures, warnings }: Results, { position, error, warning }: EntryProgress): void {
  if (error !== null) failures.set(position, error)
  if (warning === null) warnings.delete(position)
  else warnings.set(position, warning)
}

/** Those of an earlier run, which this one does not report again. */
function knownWarnings(entries: readonly CheckpointEntry[]): Map<number, EntryWarning> {
  return new Map(
    entries.flatMap((entry) =>
      entry.status === 'stored' && entry.warning !== null ? [[entry.position, entry.warning] as const] : [],
    ),
  )
}

/** Whether a file looks wrong, packed or left out. */
function hasWrong({ failures, warnings }: Results): boolean {
  return warnings.size > 0 || failures.values().some((error) => WRONG_FILE.has(error))
}

const WRONG_FILE: ReadonlySet<string> = new Set<FailureText>(['Unexpected HTML', 'Empty file'])
