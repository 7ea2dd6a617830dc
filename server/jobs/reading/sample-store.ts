import { splitExtension } from '../../archive/names/file-extension.ts'
import type { Database } from '../../db/open.ts'

/** What tells one file of a job from another in a small picture. */
export interface SampledFile {
  /** The host of its URL; '' if the URL has none. */
  readonly host: string
  /** In lower case, without its dot: `jpg`, `tar.gz`. '' if the name has none. */
  readonly extension: string
  /** Null until it is in the archive. */
  readonly sizeBytes: number | null
}

/** Reads some files of a job, spread evenly over its URLs, each by its primary key. There are none once the URLs are deleted. */
export function openSampleReader(
  db: Database,
): (jobId: string, urlCount: number, count: number) => SampledFile[] {
  // A join with a list in JSON: Drizzle joins tables alone.
  const read = db.prepare<SampleRow, { jobId: string; positions: string }>(
    `SELECT sources.url, sources.filename, entries.name, entries.size_bytes AS sizeBytes
     FROM json_each($positions) JOIN sources ON sources.job_id = $jobId AND sources.position = value
       LEFT JOIN entries ON entries.job_id = $jobId AND entries.position = value AND entries.status = 'stored'
     ORDER BY value`,
  )
  return (jobId, urlCount, count) => {
    const length = Math.min(count, urlCount)
    const positions = Array.from({ length }, (_, index) => Math.floor((index * urlCount) / length))
    return read
      .all({ jobId, positions: JSON.stringify(positions) })
      .map(({ url, filename, name, sizeBytes }) => {
        const parsed = URL.parse(url)
        const { extension } = splitExtension(name ?? filename ?? parsed?.pathname ?? '')
        return { host: parsed?.hostname ?? '', extension: extension.slice(1).toLowerCase(), sizeBytes }
      })
  }
}

interface SampleRow {
  readonly url: string
  readonly filename: string | null
  readonly name: string | null
  readonly sizeBytes: number | null
}
