import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { entries, sources } from '../../db/schema.ts'
import type { ManifestFile } from '../../engine/manifest/manifest.ts'

/** Reads the files of a completed job after a position, in URL order, with where they came from. */
export function openManifestReader(
  db: Database,
): (jobId: string, after: number, limit: number) => (ManifestFile & { readonly position: number })[] {
  const files = db.orm
    .select({
      position: entries.position,
      // The columns of stored entries are never null.
      name: sql<string>`${entries.name}`,
      url: sources.url,
      sizeBytes: sql<number>`${entries.sizeBytes}`,
      sha256: entries.sha256,
      fetched: entries.fetched,
      keptFrom: entries.keptFrom,
    })
    .from(entries)
    .innerJoin(sources, and(eq(entries.jobId, sources.jobId), eq(entries.position, sources.position)))
    .where(
      and(
        eq(entries.jobId, sql.placeholder('jobId')),
        eq(entries.status, 'stored'),
        gt(entries.position, sql.placeholder('after')),
      ),
    )
    .orderBy(asc(entries.position))
    .limit(sql.placeholder('limit'))
    .prepare()
  return (jobId, after, limit) =>
    files.all({ jobId, after, limit }).map(({ sha256, fetched, ...file }) => ({
      ...file,
      sha256: sha256?.toString('hex') ?? null,
      fetched: fetched === null ? null : JSON.parse(fetched),
    }))
}
