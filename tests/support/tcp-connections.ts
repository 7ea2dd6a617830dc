import { readFileSync } from 'node:fs'

/** How many TCP connections are open to a port of this machine, or are being made, as the system sees it. Linux only. */
export function connectionsTo(port: number): number {
  const remotePort = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const isOpenTo = (line: string) => {
    const [, , remote = '', state = ''] = line.trim().split(/\s+/)
    return remote.endsWith(remotePort) && OPEN_STATES.has(state)
  }
  return readFileSync('/proc/net/tcp', 'latin1').split('\n').filter(isOpenTo).length
}

/** TCP_ESTABLISHED and TCP_SYN_SENT, as in `include/net/tcp_states.h`. */
const OPEN_STATES: ReadonlySet<string> = new Set(['01', '02'])
