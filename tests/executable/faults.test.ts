// test group: long
import { expect, test } from 'bun:test'
import type { FileCall } from '../faults/file-calls.ts'
import { OPERATIONS } from '../faults/operations.ts'
import { sweep } from '../faults/sweep.ts'

/** One call in the middle of what each thread does. `bun run soak` tries every call. */
const middleOf = (calls: readonly FileCall[]) => calls.slice(calls.length / 2).slice(0, 1)

test.concurrent.each(
  OPERATIONS.filter(({ isQuick }) => isQuick).map((operation) => [operation.name, operation] as const),
)(
  'A kill and a full disk in the middle of "%s" lose nothing that was confirmed, and leave no files behind',
  async (_name, operation) => {
    const { faults, violations } = await sweep(operation, ['KILL', 'ENOSPC'], middleOf)
    expect(violations).toEqual([])
    expect(faults).toBeGreaterThan(1)
  },
  // All sweeps run at the same time, so that the time of each includes that of the others.
  180_000,
)
