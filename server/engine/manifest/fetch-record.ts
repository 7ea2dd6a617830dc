import { lastModifiedOf } from '../../fetching/content/validator.ts'
import { shortHeader } from '../../fetching/headers/short-header.ts'
import type { SourceResponse } from '../../fetching/response.ts'
import type { SourceUrl } from '../../fetching/source-url.ts'
import { copyOf } from '../../text/copy-of.ts'
import type { FetchRecord } from '../checkpoint/checkpoint.ts'
import type { BaseEntry } from '../job-order.ts'
import { redactParsed } from './redact-url.ts'

/**
 * What a manifest tells of a fetch.
 * @param response brought the body, or said with 304 that it is unchanged
 * @param unchanged the entry that it said so of
 */
export function fetchRecord(
  submitted: SourceUrl,
  { status, headers, url }: Pick<SourceResponse, 'status' | 'headers' | 'url'>,
  fetchedAtMs: number,
  unchanged?: BaseEntry,
): FetchRecord {
  const { fetched = null, etag = null, hasLastModified = false, modifiedAtMs = 0 } = unchanged ?? {}
  const lastModifiedMs = lastModifiedOf(headers) ?? fetched?.lastModifiedMs ?? null
  return {
    finalUrl: url.href === submitted.href ? null : shortened(url),
    fetchedAtMs,
    status,
    contentType: shortHeader(headers.get('content-type')) ?? fetched?.contentType ?? null,
    etag: shortHeader(headers.get('etag')) ?? etag ?? fetched?.etag ?? null,
    lastModifiedMs: lastModifiedMs ?? (hasLastModified ? modifiedAtMs : null),
  }
}

/** Redirects may lead to URLs of any length. Of one that is too long, the rest after `?` goes, or else all after the host. */
function shortened(url: SourceUrl): string {
  const whole = redactParsed(url)
  if (whole.length <= MAX_URL_CHARACTERS) return copyOf(whole)
  const withoutQuery = redactParsed({ ...url, path: url.pathname })
  if (withoutQuery.length <= MAX_URL_CHARACTERS) return copyOf(withoutQuery)
  return redactParsed({ ...url, pathname: '/', path: '/' })
}

/** A job keeps the record of each entry in memory: 10 MB for 5,000 entries of this length. */
const MAX_URL_CHARACTERS = 2_048
