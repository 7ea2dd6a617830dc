import { dlopen, ptr } from 'bun:ffi'
import { readFileSync, statSync } from 'node:fs'

/** A listening server whose clients are to leave descriptors for everything else. */
export interface ServerWithClients {
  readonly port?: number | undefined
  closeIdleConnections(): number
}

/** How often descriptors are counted, which costs one system call. Clients can take all of them for so long. */
const LOOK_INTERVAL_MS = 250
/** For connections to sources, archives, spool files and the database; half of them where there are few. */
const KEPT_DESCRIPTORS = 256
/** When descriptors run short, whoever has connected begins a request within a second. */
const NOTHING_SENT_MS = 1_000
/** And ends it soon. Hardly any answer takes as long; its client is told the same as by a restart. */
const NOTHING_MORE_SENT_MS = 3_000

/**
 * Keeps descriptors free for the rest of the service, until disposed of: when clients have taken nearly all, those
 * that wait between two requests and those that have never sent a whole one lose their connections. Downloads, event
 * streams and requests under way stay. On Linux alone: elsewhere idle clients go by their time limits.
 */
export function keepDescriptorsFree(server: ServerWithClients): Disposable {
  const limit = descriptorLimit()
  if (limit === null) return { [Symbol.dispose]: () => {} }
  const most = limit - Math.min(KEPT_DESCRIPTORS, Math.floor(limit / 2))
  const sockets = openSockets()
  const timer = setInterval(() => {
    if (openDescriptors() <= most) return
    server.closeIdleConnections()
    // Bun counts as idle only who has had an answer.
    if (server.port !== undefined) sockets?.shutSilent(server.port, limit)
  }, LOOK_INTERVAL_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Null where the system does not count descriptors as Linux does from 6.2 on (proc(5)). */
function descriptorLimit(): number | null {
  if (process.platform !== 'linux' || openDescriptors() === 0) return null
  const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return soft === undefined ? null : Number(soft)
}

/** Needs no descriptor itself. */
function openDescriptors(): number {
  return statSync('/proc/self/fd').size
}

/** What Bun does not tell of sockets, from the system; null where there is no C library that is known. */
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

  /** Whether the other end has got no answer yet and has sent nothing for a while (tcp(7), `struct tcp_info`). */
  function isSilent(fd: number): boolean {
    length[0] = info.byteLength
    if (symbols?.getsockopt(fd, IPPROTO_TCP, TCP_INFO, ptr(info.buffer), ptr(length)) !== 0) return false
    if (info.getUint8(0) === TCP_LISTEN || Number(length[0]) < BYTES_RECEIVED_AT + 8) return false
    if (info.getBigUint64(BYTES_ACKED_AT, true) > SYN_BYTES || hasUnread(fd)) return false
    const patienceMs =
      info.getBigUint64(BYTES_RECEIVED_AT, true) <= SYN_BYTES ? NOTHING_SENT_MS : NOTHING_MORE_SENT_MS
    return info.getUint32(LAST_DATA_RECEIVED_AT, true) >= patienceMs
  }

  /** What came while nobody could be accepted has not been looked at yet (ioctl_tty(2)). */
  function hasUnread(fd: number): boolean {
    return symbols?.ioctl(fd, FIONREAD, ptr(length)) !== 0 || length[0] !== 0
  }

  return {
    /** Bun sees such a connection end and closes it, as if the client had hung up. */
    shutSilent(port: number, limit: number): void {
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
      // musl has another name.
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
/** Places in `struct tcp_info`, which only ever grows at its end; both machines that Bun runs on are little-endian. */
const LAST_DATA_RECEIVED_AT = 52
const BYTES_ACKED_AT = 120
const BYTES_RECEIVED_AT = 128
/** The handshake can count as a byte. */
const SYN_BYTES = 1n
