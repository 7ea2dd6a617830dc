import { contains, type IpAddress, networkOf } from '../fetching/ip-address.ts'
import { openDescriptors } from '../files/descriptors.ts'
import type { SocketLibrary } from './socket-library.ts'

/**
 * Limits the send buffers of a server that listens on loopback alone. The system lets them grow for distant clients, which such a
 * server has none of: there, one large send passes megabytes to one client, and the others have nothing to read meanwhile.
 * Any other server keeps the buffers of the system.
 */
export function limitSendBuffers(library: SocketLibrary, port: number): void {
  for (const fd of library.socketsAt(port, openDescriptors())) {
    const address = library.localAddress(fd)
    if (address !== null && isLoopback(address)) library.setSendBuffer(fd, SEND_BUFFER_BYTES)
  }
}

function isLoopback(address: IpAddress): boolean {
  return LOOPBACK.some((network) => contains(network, address))
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'].map(networkOf)
/** Twice this is what the system counts. With three quarters of it, fifty downloads take a quarter longer (decision 0129). */
const SEND_BUFFER_BYTES = 256 * 1024
