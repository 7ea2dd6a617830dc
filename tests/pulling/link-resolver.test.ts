import { expect, test } from 'bun:test'
import { createAddressGuard } from '../../server/fetching/addresses/guard.ts'
import { linkResolver } from '../../server/pulling/link-resolver.ts'

/** @param answers what a name server answers, one after the other */
function resolving(answers: readonly string[]) {
  const guardOf = (allowedNetworks: readonly string[]) =>
    createAddressGuard({ allowedNetworks, ownPort: null }, () => [])
  const guard = guardOf([])
  const left = [...answers]
  const over = (checked: typeof guard) => ({
    async resolve(_hostname: string, port: number) {
      const addresses = [left.shift() ?? '']
      if (checked.checkAll(addresses, port) === 'refused') throw new Error('Address not allowed')
      return addresses
    },
    assertNotRefused() {},
  })
  return linkResolver('typed.test', guard, {
    open: over(guardOf(['0.0.0.0/0', '::/0'])),
    guarded: over(guard),
  })
}

test('The host of the link may have a private address', async () => {
  const resolver = resolving(['192.168.1.2', '192.168.1.2'])
  expect(await resolver.resolve('typed.test', 80)).toEqual(['192.168.1.2'])
  expect(await resolver.resolve('typed.test', 80)).toEqual(['192.168.1.2'])
})

test('The host of the link may not lead into private networks once it had a public address', async () => {
  const resolver = resolving(['93.184.216.34', '127.0.0.1', '93.184.216.34'])
  expect(await resolver.resolve('typed.test', 80)).toEqual(['93.184.216.34'])
  await expect(resolver.resolve('typed.test', 6379)).rejects.toThrow('Address not allowed')
  expect(await resolver.resolve('typed.test', 443)).toEqual(['93.184.216.34'])
})

test('A host that a redirect names may never lead into private networks', async () => {
  await expect(resolving(['127.0.0.1']).resolve('other.test', 80)).rejects.toThrow('Address not allowed')
})
