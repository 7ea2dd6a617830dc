import type { Finding } from '../../../server/archive/verifying/findings.ts'
import { checkZipCopy } from '../language/english/check-zip.ts'

/** What the check of a ZIP file has found. */
export interface CheckedZip {
  readonly fileCount: number
  readonly unpackedBytes: number
  readonly findings: readonly Finding[]
  readonly findingCount: number
  readonly remarks: readonly Finding<string>[]
  readonly remarkCount: number
  /** The list of checksums that the files were compared with; null if there is none. */
  readonly checksums: { readonly name: string; readonly checkedCount: number } | null
}

/** What the worker sends: how many bytes it has checked since the last message, or the end. */
export type CheckMessage =
  | { readonly type: 'progress'; readonly bytes: number }
  | { readonly type: 'checked'; readonly result: CheckedZip }
  | { readonly type: 'failed' }

export interface CheckOptions {
  /** Called with the number of bytes that were checked since the last call. */
  readonly onProgress: (bytes: number) => void
  readonly signal: AbortSignal
}

/** Checks a file in a worker. Nothing of it leaves this computer. */
export async function checkZip(file: File, { onProgress, signal }: CheckOptions): Promise<CheckedZip> {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise((resolve, reject) => {
      const fail = () => reject(new Error(checkZipCopy.unreadable))
      signal.addEventListener('abort', () => reject(signal.reason))
      worker.addEventListener('error', fail)
      worker.addEventListener('message', ({ data }: MessageEvent<CheckMessage>) => {
        if (data.type === 'progress') onProgress(data.bytes)
        else if (data.type === 'checked') resolve(data.result)
        else fail()
      })
      worker.postMessage(file)
    })
  } finally {
    worker.terminate()
  }
}
