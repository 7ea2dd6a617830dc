import { getMe } from '../../api/account.ts'
import { createJob, type JobSources, type Replacement } from '../../api/jobs.ts'
import type { Job, Me } from '../../api/types.ts'
import { missingCount } from '../../archive-list/archive-state.ts'

/**
 * Creates an archive like a ready one, which serves as its base, and whose share link it takes over when it is complete.
 *
 * @param reuse `all` copies every file that the ready archive has, and fetches the others. `unchanged` asks each source first.
 * @param replace new URLs, by their position in the ready archive. They keep the file names of the links that they replace.
 * @param leftOut the positions of links that the new archive does not have
 * @returns the id of the new archive
 */
export async function packAgain(
  job: Job,
  reuse: 'all' | 'unchanged',
  replace: readonly Replacement[] = [],
  leftOut: ReadonlySet<number> = new Set(),
): Promise<string> {
  const { limits } = await getMe()
  const isNamedAfterId = job.zip_filename === `archive-${job.id}.zip`
  return createJob({
    ...sourcesOf(job, new Map(replace.map(({ position, url }) => [position, url])), leftOut),
    ...(isNamedAfterId ? {} : { zip_filename: job.zip_filename }),
    ...keptAsLong(job, limits),
    // An archive that left links out may do so again.
    fail_on_url_error: job.fail_on_url_error && missingCount(job) === 0,
    fail_on_warning: job.fail_on_warning,
    manifest: job.manifest,
    metadata: job.metadata,
    replaces: job.id,
    base: { job_id: job.id, reuse },
  })
}

function sourcesOf(
  { files, urls }: Job,
  replaced: ReadonlyMap<number, string>,
  leftOut: ReadonlySet<number>,
): JobSources {
  const isKept = (_: unknown, position: number) => !leftOut.has(position)
  if (files === undefined)
    return { urls: urls.map((url, position) => replaced.get(position) ?? url).filter(isKept) }
  return {
    files: files
      .map((file, position) => ({ ...file, url: replaced.get(position) ?? file.url }))
      .filter(isKept),
  }
}

/** As long as the archive is kept in all, if a clock tells that. */
function keptAsLong({ completed_at, expires_at }: Job, limits: Me['limits']): { expires_in?: number } {
  if (expires_at === null || completed_at === null) return {}
  const keptSeconds = Math.round((Date.parse(expires_at) - Date.parse(completed_at)) / 1000)
  const { min_retention_seconds, max_retention_seconds } = limits
  return { expires_in: Math.min(Math.max(keptSeconds, min_retention_seconds), max_retention_seconds) }
}
