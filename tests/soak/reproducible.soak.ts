import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkOutElsewhere } from '../support/checkout.ts'
import { EXECUTABLE } from '../support/executable.ts'
import { sha256OfFile } from '../support/sha256.ts'

test('Two directories give the same release: archive, list of contents and checksums', async () => {
  using first = await checkOutElsewhere()
  using second = await checkOutElsewhere()
  // The checksums cover all other files.
  const checksums = []
  for (const checkout of [first, second]) {
    await checkout.run('release')
    checksums.push(readFileSync(join(checkout.path, 'dist/release/checksums.txt'), 'utf8'))
  }
  expect(checksums[0]?.trim().split('\n')).toHaveLength(2)
  expect(checksums[1]).toBe(checksums[0] ?? '')
}, 600_000)

/** `bun test` sets another NODE_ENV than `bun run build`. */
test('A build in another directory and with another NODE_ENV gives the same executable, byte for byte', async () => {
  using checkout = await checkOutElsewhere()
  await checkout.run('build')
  expect(await sha256OfFile(join(checkout.path, 'dist/holdall'))).toBe(await sha256OfFile(EXECUTABLE))
}, 120_000)
