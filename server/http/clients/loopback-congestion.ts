import { isLoopback } from '../../fetching/addresses/ip.ts'
import { openDescriptors } from '../../files/descriptors.ts'
import type { SocketLibrary } from './socket-library.ts'

/**
 * Lets a server that listens on loopback alone send as fast as its clients read. BBR, which many hosts use for the sake of distant
 * clients, spreads what is sent over time, and halves the speed where no network is in between (decision 0141). Any other server keeps
 * the algorithm of the system.
 */
export function useLoopbackCongestionControl(library: SocketLibrary, port: number): void {
  for (const fd of library.socketsAt(port, openDescriptors())) {
    const address = library.localAddress(fd)
    if (address !== null && isLoopback(address)) library.setCongestionControl(fd, LOOPBACK_ALGORITHM)
  }
}

/** RFC 5681. It waits for acknowledgements alone. Linux always has it, and lets every program choose it. */
const LOOPBACK_ALGORITHM = 'reno'
