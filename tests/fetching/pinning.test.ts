import { expect, test } from 'bun:test'
import { createServer } from 'node:tls'
import { listen } from '../support/tcp-server.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'
import { selfSigned } from '../support/test-certificates.ts'

/** A server that responds with the name in the TLS handshake and the Host header. */
async function startNameEcho(
  dir: TempDir,
  certifiedName: string,
): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer(await selfSigned(dir, certifiedName), (socket) => {
    socket.on('error', () => {})
    socket.on('data', (head) => {
      const host = /^host: (.*)$/im.exec(head.toString())?.[1]?.trim()
      const names = `${Reflect.get(socket, 'servername')} ${host}`
      const headers = `Content-Length: ${names.length}\r\nConnection: close`
      socket.end(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n${names}`)
    })
  })
  const port = await listen(server)
  return {
    port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** The result of the engine's fetch in a process that trusts this certificate. */
async function fetchTrusting(certificate: string, url: string): Promise<string> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/fetch-once.ts`, url], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
    stdout: 'pipe',
  })
  return await child.stdout.text()
}

test('a connection goes to the checked address, and uses the name for TLS and Host', async () => {
  using dir = tempDir()
  await using server = await startNameEcho(dir, 'localhost')
  const answer = await fetchTrusting(dir.file('localhost.crt'), `https://localhost:${server.port}/`)
  expect(answer).toBe(`localhost localhost:${server.port}`)
})

test('a name with a trailing dot is verified without it and sent unchanged in Host', async () => {
  using dir = tempDir()
  await using server = await startNameEcho(dir, 'localhost')
  const answer = await fetchTrusting(dir.file('localhost.crt'), `https://localhost.:${server.port}/`)
  expect(answer).toBe(`localhost localhost.:${server.port}`)
})

test('a certificate for another name is not trusted, even if its signer is', async () => {
  using dir = tempDir()
  await using server = await startNameEcho(dir, 'other.example')
  const answer = await fetchTrusting(dir.file('other.example.crt'), `https://localhost:${server.port}/`)
  expect(answer).toBe('TLS certificate not trusted\n')
})

test('a self-signed certificate is not trusted', async () => {
  using dir = tempDir()
  await using server = await startNameEcho(dir, 'localhost')
  expect(await fetchTrusting('', `https://localhost:${server.port}/`)).toBe('TLS certificate not trusted\n')
})
