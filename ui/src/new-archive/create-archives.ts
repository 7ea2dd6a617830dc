import { createJob, type JobSources, type NewJob } from '../api/jobs.ts'
import { createSchedule, type NewSchedule } from '../api/schedules.ts'
import type { Schedule } from '../api/types.ts'
import type { Link } from '../links/link.ts'

/** The options of a new job without its name and its sources. */
export type JobOptions = Omit<NewJob, 'urls' | 'files' | 'zip_filename'>

/** Creates one archive of all links, in their order, and returns its id. */
export function createArchive(links: readonly Link[], name: string, options: JobOptions): Promise<string> {
  return createJob({ ...sourcesOf(links), ...options, zip_filename: name })
}

/** Creates a schedule that packs all links again and again, in their order, or in their place those of a page. */
export function createRepeating(
  links: readonly Link[],
  settings: Omit<NewSchedule, 'urls' | 'files'>,
): Promise<Schedule> {
  return createSchedule(settings.page == null ? { ...sourcesOf(links), ...settings } : settings)
}

/**
 * Creates numbered archives of at most `maxLinks` links each.
 *
 * @param onCreated called after each archive with the links that are left, so that none is packed twice after a failure
 */
export async function createArchives(
  links: readonly Link[],
  maxLinks: number,
  name: string,
  options: JobOptions,
  onCreated: (rest: readonly Link[]) => void,
): Promise<void> {
  const count = Math.ceil(links.length / maxLinks)
  for (let index = 0; index < count; index += 1) {
    const part = links.slice(index * maxLinks, (index + 1) * maxLinks)
    await createArchive(part, `${name} (${index + 1} of ${count})`, options)
    onCreated(links.slice((index + 1) * maxLinks))
  }
}

/** Sends plain URLs unless some links have names. */
function sourcesOf(links: readonly Link[]): JobSources {
  if (links.every(({ filename }) => filename === null)) return { urls: links.map(({ url }) => url) }
  return { files: links.map(({ url, filename }) => (filename === null ? { url } : { url, filename })) }
}
