import type { BaseArchive } from '../base/base-archive.ts'
import type { CopyingArchive } from '../base/entry-copy.ts'
import type { KeptEntry } from '../checkpoint/checkpoint.ts'
import type { BaseEntry, JobOrder, Source } from '../job-order.ts'
import type { ListedSource } from './listed-source.ts'

/** What copying an entry from the base uses of its job. */
export interface CopyingFromBase extends Pick<JobOrder, 'failOnWarning' | 'hasManifest'> {
  readonly archive: CopyingArchive & { readonly signal: AbortSignal }
  readonly base: BaseArchive | null
}

/**
 * Copies the entry of a source without asking the source.
 * @returns false if there is no base, or it has no such entry or a damaged one
 */
export async function copyUnasked(copying: CopyingFromBase, source: ListedSource): Promise<boolean> {
  return copying.base !== null && (await copy(copying, copying.base, source))
}

/**
 * Copies the entry of a source that fails, in a job that keeps such entries.
 * @param error why the source fails
 * @returns false in any other job, and if the base has no such entry or a damaged one
 */
export async function copyOfFailed(
  copying: CopyingFromBase,
  source: ListedSource,
  error: string,
): Promise<boolean> {
  const { base } = copying
  if (base === null || base.keepFrom === null) return false
  const { keepFrom } = base
  return await copy(copying, base, source, ({ keptFrom }) => ({ from: keptFrom ?? keepFrom, error }))
}

async function copy(
  copying: CopyingFromBase,
  base: BaseArchive,
  listed: ListedSource,
  keptOf: (entry: BaseEntry) => KeptEntry | null = () => null,
): Promise<boolean> {
  const source = await listed.read()
  const { base: entry } = source
  if (entry === undefined || !isCopyWanted(copying, source, entry)) return false
  // The source has not answered, so the copy comes from where the entry came from.
  const fetched = copying.hasManifest ? entry.fetched : null
  const kept = keptOf(entry)
  const digests = digestsOf(copying, source)
  return await base.copy(copying.archive, listed.position, entry, { ...digests, fetched, kept })
}

/**
 * Whether an entry of the base may be copied. A copy keeps its warning: if a warning is a failure, the source is asked for the body
 * again. So it is if the entry is known to be another one than is wanted.
 */
export function isCopyWanted(
  { failOnWarning }: Pick<CopyingFromBase, 'failOnWarning'>,
  source: Source,
  entry: BaseEntry,
): boolean {
  const wanted = source.sha256 ?? null
  if (wanted !== null && entry.sha256 !== null && entry.sha256 !== wanted) return false
  return entry.warning === null || !failOnWarning
}

/** Whether the SHA-256 of a body is computed, and which one it must have; null for any. */
export function digestsOf({ hasManifest }: Pick<CopyingFromBase, 'hasManifest'>, source: Source) {
  const wanted = source.sha256 ?? null
  return { isHashed: hasManifest || wanted !== null, wanted }
}
