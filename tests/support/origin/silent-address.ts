import { PYTHON } from '../python.ts'

/** Makes a port of another address of this machine silent: a connection to it is neither made nor refused, for a while. */
export async function makeSilent(address: string, port: string): Promise<AsyncDisposable> {
  const child = Bun.spawn([PYTHON, '-c', FULL_QUEUE, address, port], { stdio: ['ignore', 'pipe', 'inherit'] })
  await child.stdout.getReader().read()
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** The system drops what would begin a connection while the queue of the port is full. */
const FULL_QUEUE = `
import socket, sys, time
address = (sys.argv[1], int(sys.argv[2]))
listener = socket.create_server(address, backlog=0)
waiting = []
for _ in range(4):
    client = socket.socket()
    client.setblocking(False)
    client.connect_ex(address)
    waiting.append(client)
time.sleep(0.05)
print('full', flush=True)
time.sleep(600)
`
