import type { IpAddress } from '../../fetching/addresses/ip.ts'
import type { SocketLibrary } from './socket-library.ts'

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
