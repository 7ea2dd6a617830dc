import { networkInterfaces } from 'node:os'

/** The current addresses of this machine's network interfaces. */
export function localAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((interfaces) =>
    (interfaces ?? []).map(({ address }) => address),
  )
}
