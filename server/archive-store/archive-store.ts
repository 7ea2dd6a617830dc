// server/decisions/archive-store.md says why archives move to the bucket in this way.

import { NEVER_ABORTED } from './abort-timer.ts'
import type { ArchiveContent } from './archive-content.ts'
import { openBucket } from './bucket.ts'
import { type RequestRange, readObject } from './read-object.ts'
import type { StoreAccess } from './store-access.ts'
import { StoreError } from './store-error.ts'
import { abortUploads } from './unfinished-uploads.ts'
import { sizeBytesOf, uploadFile } from './upload-file.ts'

/**
 * The archive store: finished archives as objects in a bucket. The name of an object is chosen when its archive is finished,
 * and never used for other bytes. Every function that sends a request throws a StoreError when the store refuses it or does
 * not respond.
 */
export interface ArchiveStore {
  /**
   * Resolves when the store has the whole archive.
   * @throws FileIsNotWhole; the reason of `signal` when it is aborted
   */
  upload(object: string, file: { path: string; sizeBytes: number }, signal: AbortSignal): Promise<void>
  /** The size of an archive; null when it is not there. */
  sizeBytesOf(object: string, signal: AbortSignal): Promise<number | null>
  /** Deletes an archive and its unfinished uploads, whether there are any or not. */
  remove(object: string, signal: AbortSignal): Promise<void>
  /** Throws when the address, the bucket or the credentials are wrong. */
  check(signal: AbortSignal): Promise<void>
  /** The bytes of an archive. Sends no request yet. */
  content(object: string): ArchiveContent
  /** A link to an archive for the service itself, which needs no credentials. It works for a week, the longest that S3 allows. */
  internalLink(object: string): Promise<string>
}

/** @param isProxied whether downloads go through the service; if not, clients get links to the store */
export function openArchiveStore(access: StoreAccess, isProxied: boolean): ArchiveStore {
  const { prefix } = access
  const bucket = openBucket(access)
  return {
    upload: (object, file, signal) => uploadFile(bucket, prefix, object, file, signal),
    sizeBytesOf: (object, signal) => sizeBytesOf(bucket, object, signal),
    async remove(object, signal) {
      await abortUploads(bucket, prefix, object, signal)
      await bucket.text({ method: 'DELETE', object }, signal)
    },
    check: (signal) => abortUploads(bucket, prefix, NO_OBJECT, signal),
    content: (object) => ({
      path: null,
      async *pieces(offset, lengthBytes) {
        const request: RequestRange = (range, signal) =>
          bucket.send({ method: 'GET', object, headers: { range } }, signal)
        let sentBytes = 0
        for await (const piece of readObject(request, offset, lengthBytes, NEVER_ABORTED)) {
          sentBytes += piece.length
          yield piece
        }
        // A download that only ended would look whole.
        if (sentBytes < lengthBytes) throw new StoreError(null)
      },
      async linkFor({ method, disposition, lifetimeSeconds }) {
        if (isProxied) return null
        const query = { 'response-content-disposition': disposition }
        return await bucket.link({ method, object, query }, lifetimeSeconds)
      },
    }),
    internalLink: (object) => bucket.link({ method: 'GET', object }, MAX_LINK_SECONDS),
  }
}

/** No archive has this name. */
const NO_OBJECT = 'holdall-check'
const MAX_LINK_SECONDS = 7 * 24 * 3600
