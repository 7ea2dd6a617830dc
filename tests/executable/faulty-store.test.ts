// test group: prompt
import { test } from 'bun:test'
import { expectFaultyStoreLosesNothing, expectStalledStoreDelaysNobody } from '../support/faulty-store.ts'
import { forFile } from '../support/for-file.ts'
import { startObjectStore } from '../support/object-store.ts'

const store = forFile(await startObjectStore())
const TIMEOUT_MS = 300_000

test(
  'A store that fails, lies, stalls and cuts loses no archive, leaves nothing behind, and delays no other request',
  async () => {
    await expectFaultyStoreLosesNothing(store, 4, 1)
  },
  TIMEOUT_MS,
)

test(
  'While a store stalls, the service responds, and stops in time; the next start completes the uploads',
  async () => {
    await expectStalledStoreDelaysNobody(store)
  },
  TIMEOUT_MS,
)
