import { dlopen, ptr } from 'bun:ffi'
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { descriptorLimit, openDescriptors } from '../../server/files/descriptors.ts'
import { loadSocketLibrary } from '../../server/http/socket-library.ts'
import { connectTo } from '../support/connection.ts'
import { startService } from '../support/service.ts'

const SOL_SOCKET = 1
const SO_SNDBUF = 7

describe.if(descriptorLimit !== null)('the send buffers of connections (decision 0129)', () => {
  test('are limited to 512 KiB when the service listens on loopback alone', async () => {
    await using service = await startService({ listen: ['127.0.0.1:0'] })
    expect(await sendBuffersAt(service.origin)).toEqual([limitedBytes()])
  })

  test('are those of the system when the service listens on all addresses', async () => {
    await using service = await startService({ listen: ['0.0.0.0:0'] })
    expect(await sendBuffersAt(service.origin)).not.toContain(limitedBytes())
  })
})

/** The system may allow less. */
function limitedBytes(): number {
  return Math.min(512 * 1024, 2 * Number(readFileSync('/proc/sys/net/core/wmem_max', 'utf8')))
}

/** The different sizes, as the system counts them, at the service's end of its connections. */
async function sendBuffersAt(origin: string): Promise<number[]> {
  using connection = await connectTo(origin)
  await connection.send('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await connection.until(/\r\n\r\n/)
  const library = loadSocketLibrary()
  if (library === null) throw new Error('There is no C library.')
  const accepted = [...library.socketsAt(Number(new URL(origin).port), openDescriptors())]
  const sizes = accepted.filter((fd) => library.peerAddress(fd) !== null).map(sendBufferOf)
  expect(sizes).not.toBeEmpty()
  return [...new Set(sizes)]
}

function sendBufferOf(fd: number): number {
  const [value, length] = [new Uint32Array(1), new Uint32Array([4])]
  const { symbols } = dlopen('libc.so.6', {
    getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
  })
  expect(symbols.getsockopt(fd, SOL_SOCKET, SO_SNDBUF, ptr(value), ptr(length))).toBe(0)
  return value[0] ?? 0
}
