import { expect } from 'bun:test'
import type { Stage } from './stage.ts'
import type { Role } from './trace-calls.ts'

/** Something that a user does with the service, in steps that can each fail. */
export interface Operation {
  readonly name: string
  /** Whether a try takes at most about 1 s. */
  readonly isQuick: boolean
  /** The threads that execute it. */
  readonly roles: readonly Role[]
  /** Prepares what it needs. */
  prepare(stage: Stage): Promise<Attempt>
}

export interface Attempt {
  /**
   * Does it, and waits for all that the service does for it. Called a second time when the service could not do it.
   * @returns whether the service said that it was done; false when it died, or said that it could not
   */
  run(): Promise<boolean>
  /** Checks what must be true when all jobs have ended, whether the operation succeeded or not. */
  check(isDone: boolean): Promise<void>
}

/**
 * Sends a request to the service. Returns null when the service crashed or reported a fault of the machine; throws on any
 * other answer that is not a success.
 */
export async function ask<T = unknown>(
  { client }: Stage,
  method: string,
  path: string,
  body?: object,
): Promise<T | null> {
  const response = await client.request(method, path, body).catch(() => null)
  const text = await response?.text().catch(() => null)
  if (response === null || text == null) return null
  if (response.ok) return JSON.parse(text)
  expect([response.status, text]).toEqual([503, expect.stringContaining('"UNAVAILABLE"')])
  return null
}

/** Waits for the job to end. False when it failed or the service crashed meanwhile. */
export async function hasCompleted({ client }: Stage, jobId: string): Promise<boolean> {
  const job = await client.untilEnded(jobId).catch(() => null)
  return job?.status === 'completed'
}
