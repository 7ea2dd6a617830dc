import type { Job } from '../jobs/job.ts'

/**
 * The strong entity tag of an archive. It is known before the archive is complete, since it names the bytes that a job was begun with,
 * and not their digest: as long as the edition is the same, bytes that were sent are never changed.
 */
export function etagOf({ id, edition }: Pick<Job, 'id' | 'edition'>, suffix = ''): string {
  const parts = [id, ...(edition > 0 ? [`e${edition}`] : []), ...(suffix === '' ? [] : [suffix])]
  return `"${parts.join('-')}"`
}
