import { connect } from 'node:net'
import { unpausedTimeout } from '../time/unpaused-time.ts'

/**
 * Opens a TCP connection to the address and closes it at once. `fetch` doesn't report whether it waits for a connection or
 * for a response. When it takes long, this check distinguishes the two.
 * @returns false when no connection could be made in time
 */
export function isConnectable(
  address: string,
  port: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host: address, port })
  const end = (isConnected: boolean) => {
    timeout[Symbol.dispose]()
    signal.removeEventListener('abort', onAbort)
    socket.destroy()
    resolve(isConnected)
  }
  const onAbort = () => end(false)
  const timeout = unpausedTimeout(timeoutMs, () => end(false))
  signal.addEventListener('abort', onAbort, { once: true })
  socket.on('connect', () => end(true))
  socket.on('error', () => end(false))
  return promise
}
