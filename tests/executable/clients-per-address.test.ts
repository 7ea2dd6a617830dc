import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { signIn } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'

const CONNECTIONS = 2_000
/** Of one address, at any limit of descriptors. */
const MOST_PER_ADDRESS = 1_024
const ARCHIVE_BYTES = 30_000_000
const TEST_TIMEOUT_MS = 60_000

/** What each connection sends and then says no more. */
const BEGINNINGS = {
  'say nothing': '',
  'stop within a request': 'GET /health HTTP/1.1\r\nHo',
  'have had an answer': 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n',
}

test.each([
  ['1,024 descriptors', 'say nothing', ['prlimit', '--nofile=1024']],
  ['1,024 descriptors', 'stop within a request', ['prlimit', '--nofile=1024']],
  ['1,024 descriptors', 'have had an answer', ['prlimit', '--nofile=1024']],
  ['the usual limit of descriptors', 'say nothing', []],
  ['the usual limit of descriptors', 'have had an answer', []],
] as const)(
  'With %s, 2,000 connections of one address that %s keep nobody else out, and cut no download of that address',
  async (_limit, beginning, under) => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall({ under })
    const client = await signIn(await holdall.signInLink())
    const jobId = await client.createJob({ urls: [origin.url(`/bytes/${ARCHIVE_BYTES}`)] })
    const path = new URL((await client.untilEnded(jobId)).download_url ?? '').pathname
    using sockets = new DisposableStack()

    // It is not read until the others have come: what it holds is in the system.
    const download = await open(holdall, '127.0.0.2', sockets)
    let downloadedBytes = 0
    download.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    await once(download, 'readable')
    for (let count = 0; count < CONNECTIONS; count++) {
      void open(holdall, '127.0.0.2', sockets).then(
        (socket) => socket.write(BEGINNINGS[beginning]),
        () => {},
      )
    }
    await Bun.sleep(SETTLED_MS)

    for (let count = 0; count < 5; count++) expect(await healthMs(holdall, '127.0.0.3')).toBeLessThan(1_000)
    expect(openSockets(holdall)).toBeLessThanOrEqual(MOST_PER_ADDRESS + OWN_DESCRIPTORS)
    for await (const bytes of download) downloadedBytes += bytes.length
    expect(downloadedBytes).toBeGreaterThan(ARCHIVE_BYTES)
  },
  TEST_TIMEOUT_MS,
)

/** How long the service has to bring one address down to its share. */
const SETTLED_MS = 4_000
/** Of the service itself: files, the database, its listener. */
const OWN_DESCRIPTORS = 64

async function open(holdall: Holdall, localAddress: string, sockets: DisposableStack): Promise<Socket> {
  const { hostname, port } = new URL(holdall.address)
  const socket = createConnection({ host: hostname, port: Number(port), localAddress })
  sockets.defer(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** How long a new client of an address waits for the answer. */
async function healthMs(holdall: Holdall, localAddress: string): Promise<number> {
  using sockets = new DisposableStack()
  const startedMs = performance.now()
  const socket = await open(holdall, localAddress, sockets)
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toStartWith('HTTP/1.1 200 OK')
  return performance.now() - startedMs
}

function openSockets({ pid }: Holdall): number {
  return readdirSync(`/proc/${pid}/fd`).length
}
