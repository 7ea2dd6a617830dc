import { expect } from 'bun:test'
import type { Stage } from './stage.ts'
import type { Role } from './trace-calls.ts'

/** Something that a user has the service do, step by step, at each of which it can go wrong. */
export interface Operation {
  readonly name: string
  /** Whether a try takes about a second at most. */
  readonly isQuick: boolean
  /** The threads that do it. */
  readonly roles: readonly Role[]
  /** Brings about what it needs. */
  prepare(stage: Stage): Promise<Attempt>
}

export interface Attempt {
  /**
   * Does it, and waits for all that the service does for it. Called a second time when the service could not do it.
   * @returns whether the service said that it was done; false when it died, or said that it could not
   */
  run(): Promise<boolean>
  /** What must hold afterwards, when all jobs have ended, whether it was done or not. */
  check(isDone: boolean): Promise<void>
}

/**
 * Asks the service for something. Null when it died, or said that the machine does not let it; throws on any other
 * answer that is no success.
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

/** Waits for the job to end; false when it failed, and when the service died meanwhile. */
export async function hasCompleted({ client }: Stage, jobId: string): Promise<boolean> {
  const job = await client.untilEnded(jobId).catch(() => null)
  return job?.status === 'completed'
}
