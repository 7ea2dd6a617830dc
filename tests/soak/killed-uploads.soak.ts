import { test } from 'bun:test'
import { expectKilledUploadsComplete } from '../support/kill-upload.ts'
import { startObjectStore } from '../support/object-store.ts'

test('An upload to the archive store that is killed at 30 random moments gives 30 archives, and nothing else', async () => {
  await using store = await startObjectStore()
  await expectKilledUploadsComplete(store, 30, 7)
}, 900_000)
