import { dlopen, ptr } from 'bun:ffi'
import { type IpAddress, unmapped } from '../fetching/ip-address.ts'

/** A connection to a client. */
export interface ClientSocket {
  readonly fd: number
  readonly address: IpAddress
}

/** The connections to a server, read from the operating system, because Bun does not report them. */
export type ClientSockets = NonNullable<ReturnType<typeof openClientSockets>>

/** While there are too many connections, a client must begin its request within 1 s. */
const NOTHING_SENT_MS = 1_000
/** While there are too many connections, a client that sends nothing for 3 s before its first response is disconnected. */
const NOTHING_MORE_SENT_MS = 3_000

/**
 * Null when no known C library is found.
 * @param limit the process's limit on descriptors
 */
export function openClientSockets(port: number, limit: number) {
  const symbols = loadLibrary()
  if (symbols === null) return null
  const name = new DataView(new ArrayBuffer(128))
  const info = new DataView(new ArrayBuffer(256))
  const length = new Uint32Array(1)

  /** The local port of a TCP socket (ip(7), ipv6(7): big-endian, after the family); null for other descriptors. */
  function localPort(fd: number): number | null {
    length[0] = name.byteLength
    if (symbols?.getsockname(fd, ptr(name.buffer), ptr(length)) !== 0) return null
    const family = name.getUint16(0, true)
    return family === AF_INET || family === AF_INET6 ? name.getUint16(2) : null
  }

  /** Null for a listening socket, and for one whose client has disconnected. */
  function clientOf(fd: number): ClientSocket | null {
    length[0] = name.byteLength
    if (symbols?.getpeername(fd, ptr(name.buffer), ptr(length)) !== 0) return null
    return { fd, address: readAddress(name) }
  }

  function readInfo(fd: number): boolean {
    length[0] = info.byteLength
    if (symbols?.getsockopt(fd, IPPROTO_TCP, TCP_INFO, ptr(info.buffer), ptr(length)) !== 0) return false
    return Number(length[0]) >= BYTES_RECEIVED_OFFSET + 8
  }

  /** Bytes that arrived while no connection could be accepted are still unread (ioctl_tty(2)). */
  function hasUnread(fd: number): boolean {
    return symbols?.ioctl(fd, FIONREAD, ptr(length)) !== 0 || length[0] !== 0
  }

  const receivedNothing = () => info.getBigUint64(BYTES_RECEIVED_OFFSET, true) <= SYN_BYTES

  return {
    /** @param open how many descriptors are open: the search ends when it has found this many */
    list(open: number): ClientSocket[] {
      const clients: ClientSocket[] = []
      for (let fd = 0, found = 0; fd < limit && found < open; fd++) {
        if (symbols.fcntl(fd, F_GETFD) < 0) continue
        found++
        const client = localPort(fd) === port ? clientOf(fd) : null
        if (client !== null) clients.push(client)
      }
      return clients
    },

    /** Whether the client has had no response yet and has sent nothing for a while (tcp(7), `struct tcp_info`). */
    isSilent({ fd }: ClientSocket): boolean {
      if (!readInfo(fd) || hasUnread(fd)) return false
      if (info.getBigUint64(BYTES_ACKED_OFFSET, true) > SYN_BYTES) return false
      const timeoutMs = receivedNothing() ? NOTHING_SENT_MS : NOTHING_MORE_SENT_MS
      return info.getUint32(LAST_DATA_RECEIVED_OFFSET, true) >= timeoutMs
    },

    /** Whether the client has sent nothing since it connected, even if it connected a moment ago. */
    hasSentNothing({ fd }: ClientSocket): boolean {
      return readInfo(fd) && receivedNothing() && !hasUnread(fd)
    },

    /** How many bytes of responses the client has received, and how long ago it last sent something. */
    activity({ fd }: ClientSocket): { receivedBytes: number; quietMs: number } {
      if (!readInfo(fd)) return { receivedBytes: 0, quietMs: 0 }
      return {
        receivedBytes: Number(info.getBigUint64(BYTES_ACKED_OFFSET, true)),
        quietMs: info.getUint32(LAST_DATA_RECEIVED_OFFSET, true),
      }
    },

    /** Ends the connection. To Bun, it seems that the client has closed it. */
    shutDown({ fd }: ClientSocket): void {
      symbols.shutdown(fd, SHUT_RDWR)
    },
  }
}

function readAddress(name: DataView): IpAddress {
  if (name.getUint16(0, true) === AF_INET) return { family: 4, value: BigInt(name.getUint32(4)) }
  return unmapped({ family: 6, value: (name.getBigUint64(8) << 64n) | name.getBigUint64(16) })
}

function loadLibrary() {
  for (const name of ['libc.so.6', 'libc.so']) {
    try {
      return dlopen(name, {
        fcntl: { args: ['i32', 'i32'], returns: 'i32' },
        getpeername: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
        getsockname: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
        getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
        ioctl: { args: ['i32', 'u64', 'ptr'], returns: 'i32' },
        shutdown: { args: ['i32', 'i32'], returns: 'i32' },
      }).symbols
    } catch {
      // musl's library has another name.
    }
  }
  return null
}

const F_GETFD = 1
const AF_INET = 2
const AF_INET6 = 10
const IPPROTO_TCP = 6
const TCP_INFO = 11
const SHUT_RDWR = 2
const FIONREAD = 0x541bn
/** Offsets in `struct tcp_info`, which only grows at its end. Both processor types that Bun runs on are little-endian. */
const LAST_DATA_RECEIVED_OFFSET = 52
const BYTES_ACKED_OFFSET = 120
const BYTES_RECEIVED_OFFSET = 128
/** The handshake can count as one byte. */
const SYN_BYTES = 1n
