import { dlopen, ptr } from 'bun:ffi'
import { readFileSync, statSync } from 'node:fs'

/** A listening server, whose clients must leave file descriptors for the rest of the service. */
export interface ServerWithClients {
  readonly port?: number | undefined
  closeIdleConnections(): number
}

/** How often descriptors are counted, which costs one system call. Clients can occupy all of them for this long. */
const LOOK_INTERVAL_MS = 250
/** Reserved for connections to sources, archives, spool files and the database; half of the limit where that is less. */
const RESERVED_DESCRIPTORS = 256
/** When descriptors run short, a client that connects must begin its request within 1 s. */
const NOTHING_SENT_MS = 1_000
/** A request must then end within 3 s. Hardly any response takes longer; its client sees the same as in a restart. */
const NOTHING_MORE_SENT_MS = 3_000

/**
 * Keeps descriptors free for the rest of the service, until disposed of. When clients occupy nearly all, it closes the
 * connections that are idle between two requests and those that never sent a whole request. Downloads, event streams and
 * requests in progress continue. Only on Linux: elsewhere, idle connections end by their timeouts.
 */
export function keepDescriptorsFree(server: ServerWithClients): Disposable {
  const limit = descriptorLimit()
  if (limit === null) return { [Symbol.dispose]: () => {} }
  const most = limit - Math.min(RESERVED_DESCRIPTORS, Math.floor(limit / 2))
  const sockets = openSockets()
  const timer = setInterval(() => {
    if (openDescriptors() <= most) return
    server.closeIdleConnections()
    // Bun calls a connection idle only after its first response.
    if (server.port !== undefined) sockets?.shutDownSilent(server.port, limit)
  }, LOOK_INTERVAL_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Null where the system does not count descriptors as Linux does from 6.2 on (proc(5)). */
function descriptorLimit(): number | null {
  if (process.platform !== 'linux' || openDescriptors() === 0) return null
  const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return soft === undefined ? null : Number(soft)
}

/** Opens no descriptor itself. */
function openDescriptors(): number {
  return statSync('/proc/self/fd').size
}

/** What Bun does not report of sockets, read from the system; null without a known C library. */
function openSockets() {
  const symbols = loadLibrary()
  if (symbols === null) return null
  const address = new DataView(new ArrayBuffer(128))
  const info = new DataView(new ArrayBuffer(256))
  const length = new Uint32Array(1)

  /** The local port of a TCP socket (ip(7), ipv6(7): big-endian behind the family); null for other descriptors. */
  function localPort(fd: number): number | null {
    length[0] = address.byteLength
    if (symbols?.getsockname(fd, ptr(address.buffer), ptr(length)) !== 0) return null
    const family = address.getUint16(0, true)
    return family === AF_INET || family === AF_INET6 ? address.getUint16(2) : null
  }

  /** Whether the client has had no response yet and has sent nothing for a while (tcp(7), `struct tcp_info`). */
  function isSilent(fd: number): boolean {
    length[0] = info.byteLength
    if (symbols?.getsockopt(fd, IPPROTO_TCP, TCP_INFO, ptr(info.buffer), ptr(length)) !== 0) return false
    if (info.getUint8(0) === TCP_LISTEN || Number(length[0]) < BYTES_RECEIVED_OFFSET + 8) return false
    if (info.getBigUint64(BYTES_ACKED_OFFSET, true) > SYN_BYTES || hasUnread(fd)) return false
    const timeoutMs =
      info.getBigUint64(BYTES_RECEIVED_OFFSET, true) <= SYN_BYTES ? NOTHING_SENT_MS : NOTHING_MORE_SENT_MS
    return info.getUint32(LAST_DATA_RECEIVED_OFFSET, true) >= timeoutMs
  }

  /** Bytes that arrived while no connection could be accepted are still unread (ioctl_tty(2)). */
  function hasUnread(fd: number): boolean {
    return symbols?.ioctl(fd, FIONREAD, ptr(length)) !== 0 || length[0] !== 0
  }

  return {
    /** Bun then sees the connection end, as if the client had closed it. */
    shutDownSilent(port: number, limit: number): void {
      for (let fd = 0; fd < limit; fd++) {
        if (localPort(fd) === port && isSilent(fd)) symbols.shutdown(fd, SHUT_RDWR)
      }
    },
  }
}

function loadLibrary() {
  for (const name of ['libc.so.6', 'libc.so']) {
    try {
      return dlopen(name, {
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

const AF_INET = 2
const AF_INET6 = 10
const IPPROTO_TCP = 6
const TCP_INFO = 11
const TCP_LISTEN = 10
const SHUT_RDWR = 2
const FIONREAD = 0x541bn
/** Offsets in `struct tcp_info`, which only grows at its end. Both processor types that Bun runs on are little-endian. */
const LAST_DATA_RECEIVED_OFFSET = 52
const BYTES_ACKED_OFFSET = 120
const BYTES_RECEIVED_OFFSET = 128
/** The handshake can count as one byte. */
const SYN_BYTES = 1n
