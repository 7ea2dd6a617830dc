import type { FetchRecord } from '../checkpoint/checkpoint.ts'
import { redactUrl } from './redact-url.ts'

/** The two last files of an archive with a manifest, before their names are numbered. */
export const MANIFEST_NAMES = ['sources.jsonl', 'SHA256SUMS'] as const

/** What the manifest tells of one file. */
export interface ManifestFile {
  /** In the archive. */
  readonly name: string
  /** As submitted. */
  readonly url: string
  readonly sizeBytes: number
  readonly sha256: string | null
  /** Null if nothing is known, as of a copy from an archive without a manifest. */
  readonly fetched: FetchRecord | null
  /** Of a file whose source fails: from when the last good one is. */
  readonly keptFrom: number | null
}

/**
 * One line of `sources.jsonl`, and of the manifest that the API gives, with its end. What is not known is null. Only the line of a kept
 * file has a date of that: all others have the fields of the specification, and no more.
 */
export function formatManifestLine({
  name,
  url,
  sizeBytes,
  sha256,
  fetched,
  keptFrom,
}: ManifestFile): string {
  const shownUrl = redactUrl(url)
  const line = {
    name,
    url: shownUrl,
    final_url: fetched === null ? null : (fetched.finalUrl ?? shownUrl),
    fetched_at: isoOrNull(fetched?.fetchedAtMs),
    status: fetched?.status ?? null,
    content_type: fetched?.contentType ?? null,
    etag: fetched?.etag ?? null,
    last_modified: isoOrNull(fetched?.lastModifiedMs),
    size: sizeBytes,
    sha256,
    ...(keptFrom !== null && { kept_from: isoOrNull(keptFrom) }),
  }
  return `${JSON.stringify(line)}\n`
}

/** One line of `SHA256SUMS`. `sha256sum --check` takes the name `-` for its standard input. */
export function checksumLine(name: string, sha256: string): string {
  return `${sha256}  ${name === '-' ? './-' : name}\n`
}

function isoOrNull(timeMs: number | null | undefined): string | null {
  return timeMs == null ? null : new Date(timeMs).toISOString()
}
