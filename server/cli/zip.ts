import { lstatSync } from 'node:fs'
import { lockTransientFile } from '../data/file-lock.ts'
import type { CheckpointEntry } from '../engine/checkpoint/checkpoint.ts'
import { CheckpointJournal } from '../engine/checkpoint/journal.ts'
import { reclaimSpace } from '../engine/checkpoint/reclaim.ts'
import { checkpointBytes } from '../engine/checkpoint/spaces.ts'
import { type JobOutcome, partPathOf, sourcesFrom } from '../engine/job-order.ts'
import { WorkerCrashed } from '../engine/job-runner.ts'
import { openLocalRunner } from '../engine/threads/local-runner.ts'
import { FETCH_LIMITS } from '../fetching/fetch-limits.ts'
import { refusalOf } from '../files/refusal.ts'
import { refusedPath } from '../files/system-error.ts'
import { formatBytes } from '../text/format-bytes.ts'
import { printable } from '../text/printable.ts'
import { recordPathOf, writeArchiveRecord } from './archive-record.ts'
import { type Command, type CommandContext, CommandError } from './command.ts'
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
  const failures = new Map<number, string>()
  const internalErrors: unknown[] = []
  const runner = openLocalRunner({
    workerUrl: files.workerUrl,
    bounds: { total: config.connections, perHost: config.hostConnections },
    limits: FETCH_LIMITS,
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
        maxZipBytes: Number.MAX_SAFE_INTEGER,
        checkpoint: journal.checkpoint,
        base: request.base,
        network: { allowedNetworks: config.allowNetworks, ownPort: null },
      },
      {
        progress(progress) {
          view.progress(progress)
          for (const { position, error } of progress.entries)
            if (error !== null) failures.set(position, error)
        },
        commit: async ({ changes, durable }) => journal.append(changes, durable),
      },
      stopped,
    )
    .catch(throwCrash)
  view.end(outcome)
  const refused = internalErrors.find((error) => refusedPath(error) !== null)
  if (refused !== undefined) throw refused
  listFailures(request, failures)
  if (outcome.status === 'completed') {
    // Reading the journal needs memory for all entries of the list, so it is read only where they are needed.
    const entries = request.remember || request.base !== null ? journal.kept().entries : []
    if (request.remember) writeArchiveRecord(output, sources, entries, outcome.changed)
    journal.remove()
    const failedCount = failures.size + request.unfetchable.length
    conclude(outcome, failedCount, request.base === null ? null : reusedCount(entries))
  } else {
    const kept = journal.kept()
    await reclaimSpace({ archivePath: output }, kept)
    if (checkpointBytes(kept).endOffset === 0) journal.remove()
    conclude(outcome, failures.size, null)
  }
}

function throwCrash(error: unknown): never {
  if (!(error instanceof WorkerCrashed)) throw error
  throw new CommandError(
    `Something went wrong in Holdall (${error.message}). Run the same command again to continue.`,
  )
}

/**
 * Files next to the output are ours: anything else in their place, such as a pipe, a directory or a link, would fail after the work,
 * or lead elsewhere.
 * @throws CommandError
 */
function assertFree(paths: readonly string[]): void {
  for (const path of paths.flatMap((path) => [path, `${path}.new`])) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined || found.isFile()) continue
    throw new CommandError(
      `${path} is in the way: it is not a regular file. Move it away, or choose another file with -o.`,
    )
  }
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
function listFailures({ sources }: ZipRequest, failures: ReadonlyMap<number, string>): void {
  for (const [position, error] of [...failures].sort(([a], [b]) => a - b)) {
    const [source] = sources.slice(position, position + 1)
    console.error(`${printable(source?.url ?? '')}: ${error}`)
  }
  if ([...failures.values()].includes('Address not allowed')) {
    console.error('To fetch from private and local addresses, allow their network with --allow-network.')
  }
}

function reusedCount(entries: readonly CheckpointEntry[]): number {
  return entries.filter((entry) => entry.status === 'stored' && entry.isReused).length
}

/** @param reused how many entries were copied from the base; null without one */
function conclude(outcome: JobOutcome, failedCount: number, reused: number | null): void {
  switch (outcome.status) {
    case 'completed': {
      const count = outcome.fileCount
      const without = failedCount === 0 ? '' : `, without ${failedCount} that failed`
      const copied = reused === null ? '' : `, ${reused} copied from the base`
      console.error(
        `${count} ${count === 1 ? 'file' : 'files'}, ${formatBytes(outcome.zipBytes)}${copied}${without}`,
      )
      return
    }
    case 'failed':
      throw new CommandError(
        `${outcome.failure.message} Run the same command again to continue with what was fetched.`,
      )
    case 'stopped':
      throw new CommandError('Stopped. Run the same command again to continue.')
  }
}
