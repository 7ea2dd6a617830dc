import { expect, test } from 'bun:test'
import { createAddressGuard } from '../../../server/fetching/addresses/guard.ts'
import { cpuTimeRatio } from '../../support/cpu-time.ts'

test('checking an address takes at most a hundred times as long as parsing a URL that contains it', () => {
  const guard = createAddressGuard({ allowedNetworks: ['10.0.0.0/8'], ownPort: 8420 }, () => [])
  const addresses = Array.from({ length: 20_000 }, (_, index) => `2606:4700::${index.toString(16)}`)
  const judge = () => {
    for (const address of addresses) guard.check(address, 443)
  }
  const parse = () => {
    for (const address of addresses) URL.parse(`https://[${address}]/`)
  }
  expect(cpuTimeRatio(judge, parse)).toBeLessThan(100)
})
