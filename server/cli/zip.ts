import { lockTransientFile } from '../data/file-lock.ts'
import type { CheckpointEntry } from '../engine/checkpoint/checkpoint.ts'
import { CheckpointJournal } from '../engine/checkpoint/journal.ts'
import { reclaimSpace } from '../engine/checkpoint/reclaim.ts'
import { checkpointBytes } from '../engine/checkpoint/spaces.ts'
import { type JobOutcome, sourcesFrom } from '../engine/job-order.ts'
import { WorkerCrashed } from '../engine/job-runner.ts'
import { openLocalRunner } from '../engine/threads/local-runner.ts'
import { FETCH_LIMITS } from '../fetching/fetch-limits.ts'
import { formatBytes } from '../text/format-bytes.ts'
import { printable } from '../text/printable.ts'
import { writeArchiveRecord } from './archive-record.ts'
import { type Command, CommandError } from './command.ts'
import { hasLogins } from './zip-logins.ts'
import { readZipRequest, type ZipRequest } from './zip-request.ts'
import { barView, jsonView, lineView, type ZipView } from './zip-view.ts'

/**
 * `holdall zip`: packs an archive without the service. Until the archive is complete, fetched files and the checkpoint
 * are kept next to it, so that the same command continues after any interruption.
 */
export const zip: Command = async (args, { env, files, stopped, print }) => {
  const request = readZipRequest(args, env)
  const { sources, output, config } = request
  using _lock = lockOutput(output)
  using journal = new CheckpointJournal(`${output}.part.json`, sources)
  const view = viewOf(request, print)
  for (const line of [...request.unfetchable, ...request.mirrors]) console.error(line)
  const failures = new Map<number, string>()
  const runner = openLocalRunner({
    workerUrl: files.workerUrl,
    bounds: { total: config.connections, perHost: config.hostConnections },
    limits: FETCH_LIMITS,
    internalError: (error) => console.error(error),
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
        ...request.logins,
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

/** Two commands that write to one file would destroy both archives. The lock file is next to the output. */
function lockOutput(output: string): Disposable {
  const lock = lockTransientFile(`${output}.part.lock`)
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
    console.error(
      hasLogins(logins)
        ? 'A source refused access. The login may have expired, or be for another address.'
        : 'A source refused access. To sign in, use -H, --cookies, --netrc or --curl: see holdall --help.',
    )
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
