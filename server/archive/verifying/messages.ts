import type { BodyResult, BodyToCheck } from './bodies.ts'

/** From the main thread to one that checks bodies. */
export type ToChecker =
  | { readonly type: 'open'; readonly path: string }
  | { readonly type: 'check'; readonly batchId: number; readonly batch: readonly BodyToCheck[] }

export type FromChecker =
  | { readonly type: 'read'; readonly batchId: number; readonly bytes: number }
  | { readonly type: 'checked'; readonly batchId: number; readonly results: readonly BodyResult[] }
  | { readonly type: 'failed'; readonly batchId: number; readonly message: string }
