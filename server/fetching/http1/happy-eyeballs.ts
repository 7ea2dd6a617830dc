import { connectTcp, type PendingConnect, type TcpSocket } from './connect.ts'
import { Http1Failure } from './failure.ts'

export interface Connected {
  readonly socket: TcpSocket
  readonly address: string
  /** How long it took to connect to this address. */
  readonly connectMs: number
}

/**
 * Connects to the first address that answers (RFC 8305 section 5). The next one is tried after 250 ms, or at once when one fails;
 * those that were tried before go on meanwhile.
 * @throws Http1Failure the failure of the last address; or the reason of the signal
 */
export function connectToAny(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Connected> {
  const { promise, resolve, reject } = Promise.withResolvers<Connected>()
  const untried = interleaved(addresses)
  const pending = new Set<PendingConnect>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  const end = () => {
    isOver = true
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    for (const attempt of pending) attempt.abandon()
  }
  const onAbort = () => {
    end()
    reject(signal.reason)
  }
  const tryNext = () => {
    clearTimeout(timer)
    const address = untried.shift()
    if (address === undefined) return
    if (untried.length > 0) timer = setTimeout(tryNext, NEXT_ADDRESS_MS)
    const startedMs = performance.now()
    const attempt = connectTcp(address, port)
    pending.add(attempt)
    attempt.socket.then(
      (socket) => {
        pending.delete(attempt)
        if (isOver) {
          socket.terminate()
          return
        }
        end()
        resolve({ socket, address, connectMs: performance.now() - startedMs })
      },
      (failure: unknown) => {
        pending.delete(attempt)
        if (isOver) return
        if (untried.length > 0) tryNext()
        else if (pending.size === 0) {
          end()
          reject(failure)
        }
      },
    )
  }

  if (signal.aborted) return Promise.reject(signal.reason)
  if (untried.length === 0) return Promise.reject(new Http1Failure('connect', 'no address'))
  signal.addEventListener('abort', onAbort, { once: true })
  tryNext()
  return promise
}

/** RFC 8305 section 4: the families in turn, beginning with that of the first address, since one family may not work at all. */
function interleaved(addresses: readonly string[]): string[] {
  const isIpv6 = (address: string) => address.includes(':')
  const first = addresses[0] ?? ''
  const same = addresses.filter((address) => isIpv6(address) === isIpv6(first))
  const other = addresses.filter((address) => isIpv6(address) !== isIpv6(first))
  return same
    .flatMap((address, index) => [address, ...other.slice(index, index + 1)])
    .concat(other.slice(same.length))
}

/** The Connection Attempt Delay that RFC 8305 section 8 recommends. */
const NEXT_ADDRESS_MS = 250
