import { ptr } from 'bun:ffi'
import { type IpAddress, unmapped } from '../../fetching/addresses/ip.ts'
import { loadCLibrary } from '../../files/c-library.ts'
import { descriptorLimit } from '../../files/descriptors.ts'

/** A connection to a client. */
export interface ClientSocket {
  readonly fd: number
  readonly address: IpAddress
}

/** The connections to a server, read from the operating system, because Bun does not report them. */
export type ClientSockets = ReturnType<typeof openClientSockets>

/** While there are too many connections, a client must begin its request within 1 s. */
const NOTHING_SENT_MS = 1_000
/** While there are too many connections, a client that sends nothing for 3 s before its first response is disconnected. */
const NOTHING_MORE_SENT_MS = 3_000

export function openClientSockets(library: SocketLibrary, port: number) {
  const info = new DataView(new ArrayBuffer(256))
  const readInfo = (fd: number) => library.readTcpInfo(fd, info) >= BYTES_RECEIVED_OFFSET + 8
  /** Bytes that arrived while no connection could be accepted are still unread. */
  const hasUnread = (fd: number) => library.unreadBytes(fd) !== 0
  const receivedNothing = () => info.getBigUint64(BYTES_RECEIVED_OFFSET, true) <= SYN_BYTES

  return {
    /** @param open how many descriptors are open */
    list(open: number): ClientSocket[] {
      const clients: ClientSocket[] = []
      for (const fd of library.socketsAt(port, open)) {
        const address = library.peerAddress(fd)
        if (address !== null) clients.push({ fd, address })
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
    shutDown: ({ fd }: ClientSocket) => library.shutDown(fd),
  }
}

/** Offsets in `struct tcp_info`, which only grows at its end. Both processor types that Bun runs on are little-endian. */
const LAST_DATA_RECEIVED_OFFSET = 52
const BYTES_ACKED_OFFSET = 120
const BYTES_RECEIVED_OFFSET = 128
/** The handshake can count as one byte. */
const SYN_BYTES = 1n

/** Calls of the C library on the sockets of this process, whose descriptors Bun does not give out. */
export type SocketLibrary = NonNullable<ReturnType<typeof loadSocketLibrary>>

/**
 * Null where the system does not count descriptors, and when no known C library is found. So it is there on Linux alone, whose
 * numbers these calls have.
 */
export function loadSocketLibrary() {
  const limit = descriptorLimit
  const symbols = limit === null ? null : loadCLibrary(FUNCTIONS)
  if (limit === null || symbols === null) return null
  const name = new DataView(new ArrayBuffer(128))
  const length = new Uint32Array(1)

  function localPort(fd: number): number | null {
    length[0] = name.byteLength
    if (symbols?.getsockname(fd, ptr(name.buffer), ptr(length)) !== 0) return null
    const family = name.getUint16(0, true)
    return family === AF_INET || family === AF_INET6 ? name.getUint16(2) : null
  }

  return {
    /**
     * The descriptors of the TCP sockets with a local port: those of the connections to a server, and of its listening socket.
     * @param open how many descriptors are open: the search ends when it has found this many
     */
    *socketsAt(port: number, open: number): Generator<number, void> {
      for (let fd = 0, found = 0; fd < limit && found < open; fd++) {
        if (symbols.fcntl(fd, F_GETFD) < 0) continue
        found++
        if (localPort(fd) === port) yield fd
      }
    },

    /** Null for a listening socket, and for one whose client has disconnected. */
    peerAddress(fd: number): IpAddress | null {
      length[0] = name.byteLength
      return symbols.getpeername(fd, ptr(name.buffer), ptr(length)) === 0 ? readAddress(name) : null
    },

    /** Fills `info` with the `struct tcp_info` (tcp(7)) of a connection. @returns how many bytes it has; 0 when there is none */
    readTcpInfo(fd: number, info: DataView<ArrayBuffer>): number {
      length[0] = info.byteLength
      const result = symbols.getsockopt(fd, IPPROTO_TCP, TCP_INFO, ptr(info.buffer), ptr(length))
      return result === 0 ? Number(length[0]) : 0
    },

    /** How many bytes have arrived that nothing has read yet (ioctl_tty(2)); null when that cannot be told. */
    unreadBytes(fd: number): number | null {
      return symbols.ioctl(fd, FIONREAD, ptr(length)) === 0 ? Number(length[0]) : null
    },

    /** Ends a connection. To Bun, it seems that the peer has closed it. */
    shutDown(fd: number): void {
      symbols.shutdown(fd, SHUT_RDWR)
    },
  }
}

/** Reads what `getsockname` and `getpeername` write (ip(7), ipv6(7)): big-endian, after the family and the port. */
function readAddress(name: DataView): IpAddress {
  if (name.getUint16(0, true) === AF_INET) return { family: 4, value: BigInt(name.getUint32(4)) }
  return unmapped({ family: 6, value: (name.getBigUint64(8) << 64n) | name.getBigUint64(16) })
}

const F_GETFD = 1
const AF_INET = 2
const AF_INET6 = 10
const IPPROTO_TCP = 6
const TCP_INFO = 11
const SHUT_RDWR = 2
const FIONREAD = 0x541bn

const FUNCTIONS = {
  fcntl: { args: ['i32', 'i32'], returns: 'i32' },
  getpeername: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
  getsockname: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
  getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
  ioctl: { args: ['i32', 'u64', 'ptr'], returns: 'i32' },
  shutdown: { args: ['i32', 'i32'], returns: 'i32' },
} as const
