import type { Bucket } from './bucket.ts'
import { escaped, textsOf } from './store-document.ts'
import { errorCodeIn, StoreError } from './store-error.ts'

// Multipart uploads, with requests of our own: Bun's client can neither list nor abort one.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html

/** A part that the store has received. */
export interface UploadedPart {
  /** From 1 on. */
  readonly number: number
  readonly etag: string
}

/** @returns the id of the new upload */
export async function createUpload(bucket: Bucket, object: string, signal: AbortSignal): Promise<string> {
  const headers = { 'content-type': 'application/zip' }
  const { body } = await bucket.text({ method: 'POST', object, query: { uploads: '' }, headers }, signal)
  const [id] = textsOf(body, 'UploadId')
  if (id === undefined) throw new StoreError(200)
  return id
}

/** Resolves when the store has the part and has compared its MD5. */
export async function uploadPart(
  bucket: Bucket,
  object: string,
  uploadId: string,
  number: number,
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<UploadedPart> {
  const query = { partNumber: `${number}`, uploadId }
  const { headers } = await bucket.text(
    { method: 'PUT', object, query, headers: checksumOf(bytes), body: bytes, timeoutMs: PART_TIMEOUT_MS },
    signal,
  )
  return { number, etag: headers.get('etag') ?? '' }
}

/** Makes one object of all parts. */
export async function completeUpload(
  bucket: Bucket,
  object: string,
  uploadId: string,
  parts: readonly UploadedPart[],
  signal: AbortSignal,
): Promise<void> {
  const listed = parts.map(
    ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
  )
  const body = `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`
  const query = { uploadId }
  const headers = { 'content-type': 'application/xml' }
  const reply = await bucket.text(
    { method: 'POST', object, query, headers, body, timeoutMs: COMPLETE_TIMEOUT_MS },
    signal,
  )
  // A store that begins to respond before it is done can only report a failure in the body.
  const code = errorCodeIn(reply.body)
  if (code !== '') throw new StoreError(500, code)
}

/** The checksum that a store must compare with the body that it receives (RFC 1864). */
export function checksumOf(bytes: Uint8Array): { 'content-md5': string } {
  return { 'content-md5': new Bun.CryptoHasher('md5').update(bytes).digest('base64') }
}

/**
 * Whether the ETag of a part is the MD5 of these bytes. It never is where the store encrypts with keys of a key service.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 */
export function isEtagOf(etag: string, bytes: Uint8Array): boolean {
  return etag.replaceAll('"', '') === new Bun.CryptoHasher('md5').update(bytes).digest('hex')
}

/** No store accepts more. Larger archives get larger parts. */
export const MAX_PARTS = 10_000
/** Enough for a part of 8 MiB over a connection of 70 KB per second. */
const PART_TIMEOUT_MS = 120_000
/** Stores need minutes to join thousands of parts. */
const COMPLETE_TIMEOUT_MS = 300_000
