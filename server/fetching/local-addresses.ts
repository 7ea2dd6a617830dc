import { networkInterfaces } from 'node:os'
import { waitingForDescriptor } from '../files/open-file.ts'

/** The current addresses of this machine's network interfaces. */
export function localAddresses(): string[] {
  return Object.values(waitingForDescriptor(networkInterfaces)).flatMap((interfaces) =>
    (interfaces ?? []).map(({ address }) => address),
  )
}
