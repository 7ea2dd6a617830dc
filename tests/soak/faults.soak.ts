import { expect, test } from 'bun:test'
import { OPERATIONS } from '../faults/operations.ts'
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
