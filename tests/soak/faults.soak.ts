import { expect, test } from 'bun:test'
import { OPERATIONS } from '../faults/operations.ts'
import { runWhenDue } from '../faults/schedule-operations.ts'
import { sweep } from '../faults/sweep.ts'

test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  'A kill and a fault of the disk at every step of "%s" lose nothing that was confirmed, and leave no files behind',
  async (name, operation) => {
    const { steps, faults, missed, violations } = await sweep(operation, ['KILL', 'ENOSPC', 'EIO'])
    console.log(`${name}: steps ${JSON.stringify(steps)}, ${faults} faults, ${missed} not reached`)
    expect(violations).toEqual([])
    expect(faults).toBeGreaterThan(1)
  },
  30 * 60_000,
)

test(
  'A kill at every step of a run of a schedule that is due: no run is lost, and none happens twice',
  async () => {
    const { steps, faults, missed, violations } = await sweep(runWhenDue, ['KILL'])
    console.log(`${runWhenDue.name}: steps ${JSON.stringify(steps)}, ${faults} kills, ${missed} not reached`)
    expect(violations).toEqual([])
    expect(faults).toBeGreaterThan(1)
  },
  30 * 60_000,
)
