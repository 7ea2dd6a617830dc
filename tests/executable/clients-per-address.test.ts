// test group: prompt
import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { signInOwner } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { SENT_BEFORE_IDLE } from '../support/idle-clients.ts'
import { startOrigin } from '../support/origin.ts'
import { until } from '../support/until.ts'

const CONNECTIONS = 2_000
/** The limit per address, whatever the limit of descriptors. */
const MAX_PER_ADDRESS = 1_024
const ARCHIVE_BYTES = 30_000_000
const TEST_TIMEOUT_MS = 120_000

test.each([
  ['1,024 descriptors', 'send nothing', ['prlimit', '--nofile=1024']],
  ['1,024 descriptors', 'send half a request', ['prlimit', '--nofile=1024']],
  ['1,024 descriptors', 'have had a response', ['prlimit', '--nofile=1024']],
  ['the usual limit of descriptors', 'send nothing', []],
  ['the usual limit of descriptors', 'have had a response', []],
] as const)(
  'With %s, 2,000 connections from one address that %s neither block other addresses nor cut a download of that address',
  async (_limit, state, under) => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall({ under })
    const client = await signInOwner(holdall)
    const jobId = await client.createJob({ urls: [origin.url(`/bytes/${ARCHIVE_BYTES}`)] })
    const path = new URL((await client.untilEnded(jobId)).download_url ?? '').pathname
    using sockets = new DisposableStack()

    // It is read only after the other connections were opened, so that it is still in progress by then.
    const download = await open(holdall, '127.0.0.2', sockets)
    let downloadedBytes = 0
    download.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    await once(download, 'readable')
    let closedCount = 0
    const opening = Array.from({ length: CONNECTIONS }, async () => {
      const socket = await open(holdall, '127.0.0.2', sockets)
      socket.once('close', () => closedCount++)
      // Without reading, the end of the connection would go unnoticed.
      socket.resume()
      socket.write(SENT_BEFORE_IDLE[state])
    })
    await Promise.allSettled(opening)
    await until('the surplus connections are closed', () => closedCount >= CONNECTIONS - MAX_PER_ADDRESS)
    // It may be a proxy, and then nobody else would say why its clients lose connections.
    await until('the advice is logged', () => holdall.output().includes('name it with --trust-proxy'))

    // Who watches the service from elsewhere may not take it for dead.
    for (let count = 0; count < 5; count++) expect(await healthMs(holdall, '127.0.0.3')).toBeLessThan(1_000)
    expect(socketCount(holdall)).toBeLessThanOrEqual(MAX_PER_ADDRESS + OTHER_SOCKETS)
    for await (const bytes of download) downloadedBytes += bytes.length
    expect(downloadedBytes).toBeGreaterThan(ARCHIVE_BYTES)
  },
  TEST_TIMEOUT_MS,
)

/** The listening socket, connections of other addresses and to the source. */
const OTHER_SOCKETS = 16

async function open(holdall: Holdall, localAddress: string, sockets: DisposableStack): Promise<Socket> {
  const { hostname, port } = new URL(holdall.address)
  const socket = createConnection({ host: hostname, port: Number(port), localAddress })
  sockets.defer(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** The response time of `/health` for a new connection from an address. */
async function healthMs(holdall: Holdall, localAddress: string): Promise<number> {
  using sockets = new DisposableStack()
  const startedMs = performance.now()
  const socket = await open(holdall, localAddress, sockets)
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const [response] = await once(socket, 'data')
  expect(String(response)).toStartWith('HTTP/1.1 200 OK')
  return performance.now() - startedMs
}

function socketCount({ pid }: Holdall): number {
  const directory = `/proc/${pid}/fd`
  return readdirSync(directory).filter((fd) => isSocket(`${directory}/${fd}`)).length
}

/** False for a descriptor that was closed since it was listed. */
function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:')
  } catch {
    return false
  }
}
