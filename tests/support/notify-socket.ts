import { linesOf } from './lines-of.ts'
import { PYTHON } from './python.ts'
import { tempDir } from './temp-dir.ts'

/** The socket on which systemd receives the messages of a service. Python listens: Bun has no Unix datagrams. */
export interface NotifySocket extends AsyncDisposable {
  /** The value of `NOTIFY_SOCKET`. */
  readonly address: string
  /** Waits for the first messages. */
  messages(count: number): Promise<string[]>
  /** Waits for a message, and skips those before it. */
  until(message: string): Promise<string>
}

export async function startNotifySocket(kind: 'path' | 'abstract'): Promise<NotifySocket> {
  const dir = tempDir()
  const address = kind === 'path' ? dir.file('notify') : `@holdall-test-${crypto.randomUUID()}`
  const child = Bun.spawn([PYTHON, '-c', RECEIVE, address], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = linesOf(child.stdout)
  const next = async () => (await lines.next()).value ?? ''
  await next()
  return {
    address,
    async messages(count) {
      const messages: string[] = []
      while (messages.length < count) messages.push(await next())
      return messages
    },
    async until(message) {
      for (;;) {
        const received = await next()
        if (received === message || received === '') return received
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
      dir[Symbol.dispose]()
    },
  }
}

/** Prints an empty line when it listens, then one line per message. */
const RECEIVE = `
import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1].replace("@", "\\0"))
print(flush=True)
while True:
    print(receiver.recv(4096).decode(), flush=True)
`
