import { dlopen, ptr } from 'bun:ffi'
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { descriptorLimit, openDescriptors } from '../../server/files/descriptors.ts'
import { loadSocketLibrary } from '../../server/http/clients/socket-library.ts'
import { connectTo } from '../support/connection.ts'
import { startService } from '../support/service.ts'

const IPPROTO_TCP = 6
const TCP_CONGESTION = 13

describe.if(descriptorLimit !== null)('congestion control of connections (decision 0141)', () => {
  test('waits for acknowledgements alone when the service listens on loopback', async () => {
    await using service = await startService({ listen: ['127.0.0.1:0'] })
    expect(await algorithmsAt(service.origin)).toEqual(['reno'])
  })

  test('is that of the system when the service listens on all addresses', async () => {
    await using service = await startService({ listen: ['0.0.0.0:0'] })
    const ofSystem = readFileSync('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8').trim()
    expect(await algorithmsAt(service.origin)).toEqual([ofSystem])
  })
})

/** The different algorithms at the service's end of its connections. */
async function algorithmsAt(origin: string): Promise<string[]> {
  using connection = await connectTo(origin)
  await connection.send('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await connection.until(/\r\n\r\n/)
  const library = loadSocketLibrary()
  if (library === null) throw new Error('There is no C library.')
  const accepted = [...library.socketsAt(Number(new URL(origin).port), openDescriptors())]
  const algorithms = accepted.filter((fd) => library.peerAddress(fd) !== null).map(algorithmOf)
  expect(algorithms).not.toBeEmpty()
  return [...new Set(algorithms)]
}

function algorithmOf(fd: number): string {
  const [name, length] = [new Uint8Array(16), new Uint32Array([16])]
  const { symbols } = dlopen('libc.so.6', {
    getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
  })
  expect(symbols.getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, ptr(name), ptr(length))).toBe(0)
  return new TextDecoder().decode(name).replace(/\0.*$/, '')
}
