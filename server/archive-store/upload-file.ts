import { type FileHandle, open } from 'node:fs/promises'
import { whenDescriptorIsFree } from '../files/open-file.ts'
import { systemCode } from '../files/system-error.ts'
import { NEVER_ABORTED } from './abort-timer.ts'
import type { Bucket } from './bucket.ts'
import {
  checksumOf,
  completeUpload,
  createUpload,
  isEtagOf,
  MAX_PARTS,
  type UploadedPart,
  uploadPart,
} from './multipart-upload.ts'
import { isTransient, StoreError } from './store-error.ts'
import { abortUpload, abortUploads, findUploads, type UnfinishedUpload } from './unfinished-uploads.ts'

/** Thrown when the file to upload is missing, or is not as long as it should be. */
export class FileIsNotWhole extends Error {
  override readonly name = 'FileIsNotWhole'
}

/**
 * Uploads a finished archive. It begins with what an earlier attempt, or a process that was killed, has left: if the object is
 * there, it is whole, since the store compared each part, and only the same file is ever uploaded by this name. Parts of an
 * unfinished upload are kept, so an upload that is stopped leaves its parts to the next attempt.
 * @throws StoreError; FileIsNotWhole; the reason of `signal` when it is aborted
 */
export async function uploadFile(
  bucket: Bucket,
  prefix: string,
  object: string,
  file: { readonly path: string; readonly sizeBytes: number },
  signal: AbortSignal,
): Promise<void> {
  const isUploaded = async () => (await sizeBytesOf(bucket, object, signal)) === file.sizeBytes
  if (!(await isUploaded())) {
    await using archive = await openArchive(file)
    if (file.sizeBytes <= PART_BYTES) await putWhole(bucket, object, archive, signal)
    else await uploadInParts(bucket, prefix, object, archive, signal)
    if (!(await isUploaded())) throw new StoreError(404)
  }
  await abortUploads(bucket, prefix, object, signal)
}

/** The size of an object; null when it is not there. */
export async function sizeBytesOf(
  bucket: Bucket,
  object: string,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const { headers } = await bucket.text({ method: 'HEAD', object }, signal)
    return Number(headers.get('content-length') ?? Number.NaN)
  } catch (error) {
    if (error instanceof StoreError && error.isMissing) return null
    throw error
  }
}

/** Not aborted by `signal` once it is sent, so that nothing arrives after the object was deleted. */
async function putWhole(
  bucket: Bucket,
  object: string,
  archive: OpenArchive,
  signal: AbortSignal,
): Promise<void> {
  const body = new Uint8Array(archive.sizeBytes)
  await archive.read(0, body)
  signal.throwIfAborted()
  const headers = { 'content-type': 'application/zip', ...checksumOf(body) }
  await bucket.text({ method: 'PUT', object, headers, body, timeoutMs: PUT_TIMEOUT_MS }, NEVER_ABORTED)
}

/** Several parts are sent at once, so that the connection is in use while the store writes a part. */
async function uploadInParts(
  bucket: Bucket,
  prefix: string,
  object: string,
  archive: OpenArchive,
  signal: AbortSignal,
): Promise<void> {
  const { uploadId, etags } = await continueOrCreate(bucket, prefix, object, signal)
  const stop = new AbortController()
  const both = AbortSignal.any([signal, stop.signal])
  const partBytes = Math.max(PART_BYTES, Math.ceil(archive.sizeBytes / MAX_PARTS))
  const count = Math.ceil(archive.sizeBytes / partBytes)
  const parts: UploadedPart[] = []
  let next = 0
  const work = async () => {
    // One buffer for all parts: the garbage of a gigabyte of them would be collected too late.
    const buffer = new Uint8Array(partBytes)
    while (next < count) {
      const index = next++
      both.throwIfAborted()
      const start = index * partBytes
      const bytes = buffer.subarray(0, Math.min(partBytes, archive.sizeBytes - start))
      await archive.read(start, bytes)
      const etag = etags.get(index + 1)
      parts[index] =
        etag !== undefined && isEtagOf(etag, bytes)
          ? { number: index + 1, etag }
          : await uploadPart(bucket, object, uploadId, index + 1, bytes, both)
    }
  }
  try {
    const workers = Array.from({ length: PARTS_AT_ONCE }, work)
    try {
      await Promise.all(workers)
    } catch (error) {
      stop.abort(error)
      await Promise.allSettled(workers)
      throw error
    }
    // Not aborted by `signal`, so that no object appears after it was deleted.
    await completeUpload(bucket, object, uploadId, parts, NEVER_ABORTED)
  } catch (error) {
    // An upload that the store refuses would be refused again: the next attempt starts from the beginning.
    if (error instanceof StoreError && !isTransient(error))
      await abortUpload(bucket, object, uploadId, signal).catch(() => {})
    throw error
  }
}

/** Continues the unfinished upload with the most parts, and aborts others. */
async function continueOrCreate(
  bucket: Bucket,
  prefix: string,
  object: string,
  signal: AbortSignal,
): Promise<UnfinishedUpload> {
  const found = await findUploads(bucket, prefix, object, signal)
  const [kept, ...others] = found.toSorted((one, other) => other.etags.size - one.etags.size)
  for (const { uploadId } of others) await abortUpload(bucket, object, uploadId, signal)
  return kept ?? { uploadId: await createUpload(bucket, object, signal), etags: new Map() }
}

interface OpenArchive extends AsyncDisposable {
  readonly sizeBytes: number
  /** Fills `bytes` from `start` on. @throws FileIsNotWhole when the file ends earlier */
  read(start: number, bytes: Uint8Array<ArrayBuffer>): Promise<void>
}

async function openArchive({ path, sizeBytes }: { path: string; sizeBytes: number }): Promise<OpenArchive> {
  const file = await whenDescriptorIsFree(() => open(path)).catch((error) => {
    throw systemCode(error) === 'ENOENT' ? new FileIsNotWhole('the file is missing') : error
  })
  if ((await file.stat()).size !== sizeBytes) {
    await file.close()
    throw new FileIsNotWhole('the file has another size')
  }
  return {
    sizeBytes,
    read: (start, bytes) => fill(bytes, file, start),
    [Symbol.asyncDispose]: () => file.close(),
  }
}

async function fill(bytes: Uint8Array<ArrayBuffer>, file: FileHandle, start: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, start + done)
    if (bytesRead === 0) throw new FileIsNotWhole('the file has become shorter')
    done += bytesRead
  }
}

/** A smaller file is sent whole, in one request. Stores accept parts from 5 MiB on. */
const PART_BYTES = 8 * 1024 * 1024
/** Each is in memory until it is sent. */
const PARTS_AT_ONCE = 2
/** Enough for a part of 8 MiB over a connection of 70 KB per second. */
const PUT_TIMEOUT_MS = 120_000
