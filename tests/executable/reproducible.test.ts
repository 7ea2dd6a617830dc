// test group: long
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { checkOutElsewhere } from '../support/checkout.ts'
import { EXECUTABLE } from '../support/executable.ts'
import { sha256OfFile } from '../support/sha256.ts'

/** `bun test` sets another NODE_ENV than `bun run build`. */
test('A build in another directory and with another NODE_ENV gives the same executable, byte for byte', async () => {
  using checkout = await checkOutElsewhere()
  await checkout.run('build')
  expect(await sha256OfFile(join(checkout.path, 'dist/holdall'))).toBe(await sha256OfFile(EXECUTABLE))
}, 120_000)
