import type { ArchiveContent } from '../archive-store/archive-content.ts'
import type { ArchiveStore } from '../archive-store/archive-store.ts'
import { StoreError } from '../archive-store/store-error.ts'
import { ServiceError } from '../errors.ts'
import type { Log } from '../logging/log.ts'

/**
 * Opens archives in the archive store. Errors of the store become errors for a receiver.
 * @returns a function that throws ServiceError `UNAVAILABLE` when the service was started without the store
 */
export function openStoredContents(
  store: ArchiveStore | null,
  log: Log,
): (objectName: string) => ArchiveContent {
  let openReads = 0
  return (objectName) => {
    if (store === null) {
      log.error('an archive is in an archive store, but the service was started without --archive-store')
      throw unavailable()
    }
    const content = store.content(objectName)
    return {
      ...content,
      async *pieces(offset, lengthBytes) {
        if (openReads >= MAX_READS) throw tooMany()
        openReads += 1
        try {
          yield* content.pieces(offset, lengthBytes)
        } catch (error) {
          if (!(error instanceof StoreError)) throw error
          log.error('an archive could not be read from the archive store', { error })
          throw unavailable()
        } finally {
          openReads -= 1
        }
      },
    }
  }
}

/** Each takes one of the 256 requests that Bun's `fetch` gives a process. Uploads, webhooks, and jobs with a base there need others. */
const MAX_READS = 96

function unavailable(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The archive cannot be read at the moment. Try again later.')
}

function tooMany(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Too many archives are read at the moment. Try again later.')
}
