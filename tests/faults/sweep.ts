import type { Fault, FaultKind, FileCall } from './file-calls.ts'
import type { Operation } from './operation.ts'
import { openStage, type Stage } from './stage.ts'
import { type Role, traceCalls } from './trace-calls.ts'

/** The result of a sweep over the steps of an operation. */
export interface Swept {
  /** Calls that change files, by thread, counted without a fault. */
  readonly steps: Readonly<Partial<Record<Role, number>>>
  /** The number of faults that occurred. */
  readonly faults: number
  /** Tries that ended before the call of their fault. */
  readonly missed: number
  /** Failed checks, each with its step. */
  readonly violations: readonly string[]
}

/**
 * Runs an operation repeatedly, each time with one fault at one of its steps, and checks that the service keeps what it
 * has confirmed. Tries all steps, or for each role the steps that `choose` returns.
 */
export async function sweep(
  operation: Operation,
  kinds: readonly FaultKind[],
  choose: (calls: readonly FileCall[]) => readonly FileCall[] = (calls) => calls,
): Promise<Swept> {
  await using stage = await openStage()
  const swept = {
    steps: {} as Partial<Record<Role, number>>,
    faults: 0,
    missed: 0,
    violations: [] as string[],
  }
  for (const role of operation.roles) {
    const calls = await callsOfEachRun(stage, operation, role)
    swept.steps[role] = calls.length
    for (const at of choose(calls)) {
      for (const kind of kinds) {
        const where = `${operation.name}, ${kind} at ${at.name} ${at.nth} of ${role}`
        try {
          if (await tryOnce(stage, operation, role, { kind, at })) swept.faults++
          else swept.missed++
        } catch (error) {
          swept.violations.push(`${where}: ${error instanceof Error ? error.message : error}`)
          await recover(stage)
        }
      }
    }
    await stage.checkData().catch((error) => swept.violations.push(`${operation.name}, ${role}: ${error}`))
  }
  return swept
}

/** The calls of the operation itself: a run may also meet what the service does from time to time. */
async function callsOfEachRun(stage: Stage, operation: Operation, role: Role): Promise<readonly FileCall[]> {
  const calls = await dryRun(stage, operation, role)
  const again = await dryRun(stage, operation, role)
  return calls.filter(({ name, nth }) => again.some((call) => call.name === name && call.nth === nth))
}

async function dryRun(stage: Stage, operation: Operation, role: Role): Promise<readonly FileCall[]> {
  const attempt = await operation.prepare(stage)
  await using trace = await traceCalls(stage.holdall.pid, role, null)
  if (!(await attempt.run())) throw new Error(`${operation.name} does not work without a fault`)
  const calls = trace.calls()
  await stage.settle()
  await attempt.check(true)
  return calls
}

/** @returns whether the fault occurred */
async function tryOnce(stage: Stage, operation: Operation, role: Role, fault: Fault): Promise<boolean> {
  const { holdall } = stage
  const attempt = await operation.prepare(stage)
  let isDone: boolean
  let wasHit: boolean
  {
    await using trace = await traceCalls(holdall.pid, role, fault)
    isDone = await attempt.run()
    wasHit = fault.kind === 'KILL' ? !(await isAlive(stage)) : trace.wasRefused()
  }
  if (fault.kind === 'KILL' && wasHit) await holdall.restart()
  // Once the fault is gone, the service must complete the operation.
  else if (!isDone) {
    isDone = await attempt.run()
    if (!isDone) throw new Error('it does not work once the fault is gone')
  }
  await stage.settle()
  await attempt.check(isDone)
  await stage.checkFiles()
  await stage.deleteJobs()
  await stage.checkFiles()
  return wasHit
}

async function isAlive({ holdall }: Stage): Promise<boolean> {
  return fetch(`${holdall.address}/health`).then(
    () => true,
    () => false,
  )
}

/** Makes sure that the service runs before the next try. */
async function recover(stage: Stage): Promise<void> {
  await stage.holdall.kill()
  await stage.holdall.restart()
  await stage.settle()
  await stage.deleteJobs()
}
