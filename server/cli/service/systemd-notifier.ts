import type { Environment } from '../../config/config.ts'
import { loadCLibrary } from '../../files/c-library.ts'

/**
 * Tells systemd that the service is ready, that it still responds, and that it stops (sd_notify(3)). Does nothing if systemd
 * did not start the process, or does not wait for messages.
 */
export interface SystemdNotifier extends Disposable {
  /** From now on, also sends the messages that the unit's watchdog expects, until disposed of. */
  ready(): void
  stopping(): void
}

/** @param env `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`, which systemd sets */
export function openSystemdNotifier(env: Environment): SystemdNotifier {
  if (!env.NOTIFY_SOCKET || process.platform !== 'linux') {
    return { ready() {}, stopping() {}, [Symbol.dispose]() {} }
  }
  const send = connect(env.NOTIFY_SOCKET)
  const watchdogMs = watchdogTimeoutMs(env)
  let timer: NodeJS.Timeout | undefined
  return {
    ready() {
      send('READY=1')
      // sd_watchdog_enabled(3) recommends half of the timeout.
      if (watchdogMs !== null) timer = setInterval(() => send('WATCHDOG=1'), watchdogMs / 2)
    },
    stopping: () => send('STOPPING=1'),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

function watchdogTimeoutMs({ WATCHDOG_USEC, WATCHDOG_PID }: Environment): number | null {
  const isForUs = WATCHDOG_PID === undefined || Number(WATCHDOG_PID) === process.pid
  const timeoutMs = Number(WATCHDOG_USEC) / 1000
  return isForUs && timeoutMs > 0 ? timeoutMs : null
}

/**
 * Connects a datagram socket, which neither Bun nor Node can do for Unix sockets. It stays open, so that messages can be
 * sent when no descriptor is free. A message that can't be sent is lost; the watchdog then notices.
 */
function connect(path: string): (message: string) => void {
  const libc = loadCLibrary({
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    connect: { args: ['i32', 'ptr', 'u32'], returns: 'i32' },
    send: { args: ['i32', 'ptr', 'u64', 'i32'], returns: 'i64' },
  })
  if (libc === null) throw new Error('NOTIFY_SOCKET: there is no C library to reach it with.')
  const fd = libc.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)
  const address = socketAddress(path)
  if (fd < 0 || libc.connect(fd, address, address.length) !== 0) {
    throw new Error(`NOTIFY_SOCKET: cannot connect to ${path}. Use Type=exec in the unit of the service.`)
  }
  return (message) => {
    const bytes = new TextEncoder().encode(message)
    libc.send(fd, bytes, bytes.length, MSG_DONTWAIT | MSG_NOSIGNAL)
  }
}

/** `struct sockaddr_un` (unix(7)): the family, then the path. In an abstract address, a zero byte replaces the `@`. */
function socketAddress(path: string): Uint8Array {
  const family = new Uint8Array(new Uint16Array([AF_UNIX]).buffer)
  const end = path.startsWith('@') ? '' : '\0'
  return Buffer.concat([family, Buffer.from(path.replace(/^@/, '\0') + end)])
}

// The values of Linux, the same on x64 and arm64.
const AF_UNIX = 1
const SOCK_DGRAM = 2
const SOCK_CLOEXEC = 0o2000000
const MSG_DONTWAIT = 0x40
const MSG_NOSIGNAL = 0x4000
