import { networkInterfaces } from 'node:os'
import { whenDescriptorIsFreeSync } from '../../files/open-file.ts'

/** The current addresses of this machine's network interfaces. */
export function localAddresses(): string[] {
  return Object.values(whenDescriptorIsFreeSync(networkInterfaces)).flatMap((interfaces) =>
    (interfaces ?? []).map(({ address }) => address),
  )
}
