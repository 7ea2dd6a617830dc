import { expect } from 'bun:test'
import type { Stage } from './stage.ts'
import type { Role } from './trace-calls.ts'

/** A user's operation, which consists of steps that can each fail. */
export interface Operation {
  readonly name: string
  /** The threads that take part in it. */
  readonly roles: readonly Role[]
  /** Creates the jobs, keys or links that it needs. */
  prepare(stage: Stage): Promise<Attempt>
}

export interface Attempt {
  /**
   * Runs the operation, and waits for its effects. Called again if the service could not complete it.
   * @returns whether the service confirmed it; false if the service crashed or reported a fault of the machine
   */
  run(): Promise<boolean>
  /** Checks what must be true after all jobs have ended. `isDone` is what `run` returned. */
  check(isDone: boolean): Promise<void>
}

/**
 * Sends a request to the service. Returns null if the service crashed or reported a fault of the machine. Throws on any
 * other error.
 */
export async function tryRequest<T = unknown>(
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
