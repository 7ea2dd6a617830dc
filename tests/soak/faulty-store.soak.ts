import { test } from 'bun:test'
import { expectFaultyStoreLosesNothing } from '../support/faulty-store.ts'
import { forFile } from '../support/for-file.ts'
import { startObjectStore } from '../support/object-store.ts'

const store = forFile(await startObjectStore())

test.each([2, 3, 4, 5])(
  'A store that fails, lies, stalls and cuts loses none of 20 archives (seed %d)',
  async (seed) => {
    console.log(await expectFaultyStoreLosesNothing(store, 20, seed))
  },
  20 * 60_000,
)
