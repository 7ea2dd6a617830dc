import type { Bucket } from './bucket.ts'
import { MAX_PARTS } from './multipart-upload.ts'
import { textsOf } from './store-document.ts'
import { isTransient, StoreError } from './store-error.ts'

/** A multipart upload that is neither completed nor aborted. A process that was killed leaves one. */
export interface UnfinishedUpload {
  readonly uploadId: string
  /** The ETags of the parts that the store has received, by the number of the part. */
  readonly etags: ReadonlyMap<number, string>
}

/** The unfinished uploads of an object, whoever began them. */
export async function findUploads(
  bucket: Bucket,
  prefix: string,
  object: string,
  signal: AbortSignal,
): Promise<UnfinishedUpload[]> {
  const found: UnfinishedUpload[] = []
  for (const uploadId of await uploadIdsOf(bucket, prefix, object, signal)) {
    const etags = await etagsOf(bucket, object, uploadId, signal)
    if (etags !== null) found.push({ uploadId, etags })
  }
  return found
}

/** Aborts every unfinished upload of an object, whoever began it. */
export async function abortUploads(
  bucket: Bucket,
  prefix: string,
  object: string,
  signal: AbortSignal,
): Promise<void> {
  for (const uploadId of await uploadIdsOf(bucket, prefix, object, signal))
    await abortUpload(bucket, object, uploadId, signal)
}

/** Aborts an upload, if it is still unfinished. */
export async function abortUpload(
  bucket: Bucket,
  object: string,
  uploadId: string,
  signal: AbortSignal,
): Promise<void> {
  await bucket.text({ method: 'DELETE', object, query: { uploadId } }, signal).catch((error) => {
    if (!(error instanceof StoreError && error.isMissing)) throw error
  })
}

async function uploadIdsOf(
  bucket: Bucket,
  prefix: string,
  object: string,
  signal: AbortSignal,
): Promise<string[]> {
  const query = { uploads: '', prefix: `${prefix}${object}` }
  const { body } = await bucket.text({ method: 'GET', object: null, query }, signal)
  return textsOf(body, 'UploadId')
}

/**
 * Lists the parts page by page. Empty when the credentials do not permit that: then all parts are sent again.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html
 * @returns null when the upload does not exist any more
 */
async function etagsOf(
  bucket: Bucket,
  object: string,
  uploadId: string,
  signal: AbortSignal,
): Promise<Map<number, string> | null> {
  const etags = new Map<number, string>()
  try {
    for (let marker: number | null = 0; marker !== null; ) {
      const query = { uploadId, 'part-number-marker': `${marker}` }
      const { body } = await bucket.text({ method: 'GET', object, query }, signal)
      const numbers = textsOf(body, 'PartNumber')
      const values = textsOf(body, 'ETag')
      for (const [index, number] of numbers.entries()) etags.set(Number(number), values[index] ?? '')
      const last = Number(numbers.at(-1) ?? 0)
      const hasMore = textsOf(body, 'IsTruncated')[0] === 'true'
      // The numbers grow, so that the pages end, whatever the store says.
      marker = hasMore && last > marker && last < MAX_PARTS ? last : null
    }
  } catch (error) {
    if (!(error instanceof StoreError) || isTransient(error)) throw error
    if (error.isMissing) return null
  }
  return etags
}
