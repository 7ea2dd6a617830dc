import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { LocalArchive } from '../../archive/reading/local-archive.ts'
import { NATIVE_CODECS } from '../../archive/reading/verify.ts'
import type { Finding } from '../../archive/verifying/findings.ts'
import { CheckerThreads } from '../../archive/verifying/threads.ts'
import { type VerifiedArchive, verifyArchive } from '../../archive/verifying/verify-archive.ts'
import { systemCode } from '../../files/system-error.ts'
import { formatBytes } from '../../text/format-bytes.ts'
import { printable } from '../../text/printable.ts'
import { readArguments } from '../arguments.ts'
import { type Command, CommandError, UsageError } from '../command.ts'
import { bytesView } from './bytes-view.ts'

/** `holdall verify FILE.zip [--json]`: checks any ZIP file. */
export const verify: Command = async (args, { env, files, stopped, print }) => {
  const { positionals, own } = readArguments(args, env, { switches: ['json'], positionals: ['FILE.zip'] })
  const path = resolve(positionals[0] ?? '')
  const sizeBytes = sizeOf(path)
  using archive = LocalArchive.open(path)
  if (archive === null)
    throw new UsageError(`${printable(path)} cannot be read. Give yourself the right to read it.`)
  const view = bytesView(sizeBytes)
  const result = await withThreads(files.verifierUrl, path, (checker) => {
    const run = verifyArchive(archive, sizeBytes, {
      codecs: NATIVE_CODECS,
      checker,
      signal: stopped,
      progress: view.add,
    })
    return untilAborted(run, stopped)
  }).finally(() => view.end())
  if (result === null) throw new CommandError('Stopped. Nothing was changed. Run the same command again.')
  if (own.json === 'true') print(JSON.stringify(toJson(path, sizeBytes, result)))
  else printResult(path, sizeBytes, result, print)
  const { findingCount } = result.findings
  if (findingCount > 0)
    throw new CommandError(
      `${printable(path)}: ${findingCount} ${findingCount === 1 ? 'finding' : 'findings'}`,
    )
}

/** @throws UsageError if there is no such file */
function sizeOf(path: string): number {
  try {
    const found = statSync(path)
    if (found.isFile()) return found.size
  } catch (error) {
    const isThere = systemCode(error) !== 'ENOENT'
    throw new UsageError(
      isThere
        ? `${printable(path)} cannot be read (${systemCode(error)}). Name a ZIP file that can be read.`
        : `There is no file ${printable(path)}. Name a ZIP file.`,
    )
  }
  throw new UsageError(`${printable(path)} is not a file. Name a ZIP file.`)
}

async function withThreads<T>(
  workerUrl: string | URL,
  path: string,
  work: (threads: CheckerThreads) => Promise<T>,
): Promise<T> {
  using threads = new CheckerThreads(workerUrl, path, Math.min(availableParallelism(), MAX_THREADS))
  return await work(threads)
}

/** Null as soon as the signal is aborted. */
function untilAborted<T>(run: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const stop = Promise.withResolvers<null>()
  signal.addEventListener('abort', () => stop.resolve(null), { once: true })
  run.catch(() => {})
  return Promise.race([run, stop.promise])
}

function printResult(
  path: string,
  sizeBytes: number,
  { findings, entryCount, unpackedBytes, checksums }: VerifiedArchive,
  print: (line: string) => void,
): void {
  const all = [
    [findings.findings, findings.findingCount, 'findings'],
    [findings.remarks, findings.remarkCount, 'remarks'],
  ] as const
  for (const [list, count, word] of all) {
    for (const finding of list) print(`${word === 'remarks' ? 'Remark: ' : ''}${lineOf(finding)}`)
    if (count > list.length) print(`... and ${count - list.length} more ${word}`)
  }
  if (findings.findingCount > 0) return
  const listed =
    checksums === null ? '' : `, ${checksums.checkedCount} as ${printable(checksums.name)} lists them`
  const files = `${entryCount} ${entryCount === 1 ? 'file' : 'files'}`
  print(
    `${printable(path)}: ${files}, ${formatBytes(sizeBytes)}, ${formatBytes(unpackedBytes)} unpacked: all right${listed}`,
  )
}

function lineOf({ entry, message }: Finding<string>): string {
  return entry === null ? message : `${printable(entry)}: ${message}`
}

function toJson(path: string, sizeBytes: number, result: VerifiedArchive): object {
  const { findings, entryCount, unpackedBytes, checksums } = result
  return {
    file: path,
    ok: findings.findingCount === 0,
    size: sizeBytes,
    file_count: entryCount,
    unpacked_size: unpackedBytes,
    checksums: checksums === null ? null : { list: checksums.name, checked: checksums.checkedCount },
    findings: findings.findings,
    finding_count: findings.findingCount,
    remarks: findings.remarks,
    remark_count: findings.remarkCount,
  }
}

/** More would wait for the disk. */
const MAX_THREADS = 16
