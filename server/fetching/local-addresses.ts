import { networkInterfaces } from 'node:os'

/** Addresses of this machine's interfaces, as they are now. */
export function localAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((interfaces) =>
    (interfaces ?? []).map(({ address }) => address),
  )
}
