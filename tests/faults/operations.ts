import { cancel, expire, remove, retry } from './job-operations.ts'
import { createKey, revokeKey, signInByLink } from './key-operations.ts'
import type { Operation } from './operation.ts'
import { createAndPack } from './pack-operation.ts'
import { runSchedule } from './schedule-operations.ts'

/** All operations of users that change files or rows. */
export const OPERATIONS: readonly Operation[] = [
  createKey,
  revokeKey,
  signInByLink,
  createAndPack,
  cancel,
  retry(true),
  retry(false),
  remove(false),
  remove(true),
  expire,
  runSchedule,
]
