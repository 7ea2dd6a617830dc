import { systemFault } from '../files/system-error.ts'
import { formatBytes } from '../text/format-bytes.ts'
import type { JobFailure } from './job-order.ts'
import { DiskFull } from './limits/disk.ts'
import { ZipSizeExceeded } from './limits/size.ts'

/** Thrown when too many URLs could not be fetched for the job to complete. */
export class SourcesFailed extends Error {
  readonly failedCount: number
  readonly totalCount: number
  /** `URL_FAILED` when a single one is too many. */
  readonly code: 'URL_FAILED' | 'ALL_URLS_FAILED'

  constructor(failedCount: number, totalCount: number, code: SourcesFailed['code']) {
    super('sources could not be fetched')
    this.name = 'SourcesFailed'
    this.failedCount = failedCount
    this.totalCount = totalCount
    this.code = code
  }
}

/** The code and message of an error, as the API returns them. */
export function failureOf(error: unknown): JobFailure {
  if (error instanceof SourcesFailed) return sourcesFailure(error)
  if (error instanceof ZipSizeExceeded) {
    const limit = formatBytes(error.maxBytes)
    return {
      code: 'ZIP_SIZE_EXCEEDED',
      message: `The ZIP would be larger than the ${limit} that your plan allows.`,
    }
  }
  if (isDiskFull(error)) {
    return {
      code: 'DISK_FULL',
      message: 'The disk is full. Free some space, then retry: the job continues where it stopped.',
    }
  }
  if (systemFault(error) === 'disk-unusable') {
    return {
      code: 'INTERNAL_ERROR',
      message:
        'The service could not use its disk. Its log says why. Retry the job to continue where it stopped.',
    }
  }
  return {
    code: 'INTERNAL_ERROR',
    message: 'Something went wrong in Holdall. Retry the job to continue where it stopped.',
  }
}

function sourcesFailure({ failedCount, totalCount, code }: SourcesFailed): JobFailure {
  const urls = `${failedCount} of ${totalCount} ${totalCount === 1 ? 'URL' : 'URLs'}`
  return { code, message: `${urls} could not be fetched.` }
}

/** Whether the archive's disk, a quota on it, or the database's disk is full. */
function isDiskFull(error: unknown): boolean {
  return error instanceof DiskFull || systemFault(error) === 'disk-full'
}
