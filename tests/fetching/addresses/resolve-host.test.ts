import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { once } from 'node:events'
import { resolveHost } from '../../../server/fetching/addresses/resolve-host.ts'
import { FetchFailure } from '../../../server/fetching/attempts/fetch-failure.ts'

const never = new AbortController().signal

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['[::1]', '::1'],
  ['2606:4700::1111', '2606:4700::1111'],
])('an IP address resolves to itself: %s', async (hostname, address) => {
  expect(await resolveHost(hostname, never)).toEqual([address])
})

test('a name in the hosts file resolves', async () => {
  expect(await resolveHost('localhost', never)).toContain('127.0.0.1')
})

test('an aborted signal ends the wait with its reason', async () => {
  const reason = new Error('The job was stopped')
  expect(await failureOf(resolveHost('localhost', AbortSignal.abort(reason)))).toBe(reason)
})

// Other systems use their own resolver, which a test can't direct to its own name server.
describe.if(process.platform === 'linux')('with a name server', () => {
  const systemServers = dns.getServers()
  const server = dgram.createSocket('udp4')

  beforeAll(async () => {
    server.on('message', (query, { address, port }) => {
      const answer = answerTo(query)
      if (answer !== null) server.send(answer, port, address)
    })
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
  })

  function useServer(): void {
    dns.setServers([`127.0.0.1:${server.address().port}`])
  }

  afterEach(() => {
    dns.setServers(systemServers)
  })

  afterAll(() => {
    server.close()
  })

  test('a host resolves to all its IPv4 and IPv6 addresses', async () => {
    useServer()
    expect((await resolveHost('both.test', never)).toSorted()).toEqual(['192.0.2.7', '2001:db8::7'])
  })

  test('a name that does not exist is not retryable', async () => {
    useServer()
    const failure = await failureOf(resolveHost('absent.test', never))
    expect(failure).toBeInstanceOf(FetchFailure)
    expect(failure).toMatchObject({ text: 'Could not resolve host', retryable: false })
  })

  test('the failure of a name server is retryable, and the next attempt uses the current name servers', async () => {
    useServer()
    const failure = await failureOf(resolveHost('broken.test', never))
    expect(failure).toMatchObject({ text: 'Could not resolve host', retryable: true })
    expect(dns.getServers()).toEqual(new dns.Resolver().getServers())
  })

  test('a name server that does not respond in time is a retryable failure', async () => {
    useServer()
    const failure = await failureOf(resolveHost('silent.test', never, { timeoutMs: 50 }))
    expect(failure).toMatchObject({ text: 'Could not resolve host', retryable: true })
  })

  test('a signal that is aborted during the look-up ends the wait with its reason', async () => {
    useServer()
    const stop = new AbortController()
    const failure = failureOf(resolveHost('silent.test', stop.signal))
    const reason = new Error('The job was stopped')
    stop.abort(reason)
    expect(await failure).toBe(reason)
  })
})

/** The response of the name server, which depends on the first label of the name (RFC 1035, section 4). */
function answerTo(query: Buffer): Buffer | null {
  const label = query.toString('latin1', 13, 13 + query.readUInt8(12))
  if (label === 'silent') return null
  const endOfName = query.indexOf(0, 12) + 1
  const type = query.readUInt16BE(endOfName)
  const address = type === 1 ? '\xc0\x00\x02\x07' : ' \x01\r\xb8'.padEnd(15, '\0').concat('\x07')
  const responseCode = label === 'both' ? 0 : label === 'absent' ? 3 : 2
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180 | responseCode, 2)
  header.writeUInt16BE(responseCode === 0 ? 1 : 0, 6)
  header.writeUInt16BE(0, 10)
  const question = query.subarray(12, endOfName + 4)
  if (responseCode !== 0) return Buffer.concat([header, question])
  // A pointer to the name, the type, class IN, 60 seconds to live, then the address.
  const record = Buffer.from(`\xc0\x0c\0${String.fromCharCode(type)}\0\x01\0\0\0\x3c\0`, 'latin1')
  return Buffer.concat([
    header,
    question,
    record,
    Buffer.from([address.length]),
    Buffer.from(address, 'latin1'),
  ])
}
