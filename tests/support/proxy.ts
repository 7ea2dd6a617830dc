import { connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { listen } from './tcp-server.ts'
import type { Certificate } from './test-certificates.ts'

/** A request that a proxy has got. */
export interface ProxiedRequest {
  /** Method and target. */
  readonly line: string
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>
}

export interface TestProxy extends AsyncDisposable {
  /** `127.0.0.1:PORT` */
  readonly host: string
  readonly requests: readonly ProxiedRequest[]
  connectionCount(): number
}

export interface ProxyOptions {
  /** `USER:PASSWORD` that it asks for. */
  readonly login?: string
  /** With a certificate, clients connect to the proxy itself with TLS. */
  readonly certificate?: Certificate
  /** Where the hosts are that it knows, whatever their names: `127.0.0.1:PORT` by `name:port`. */
  readonly hosts?: Readonly<Record<string, string>>
  /** Hosts that it refuses, with these statuses. */
  readonly refused?: Readonly<Record<string, number>>
  /** Answers in place of the proxy. */
  readonly answer?: (client: Socket, request: ProxiedRequest) => void
}

/** An HTTP proxy (RFC 9110 section 3.7): CONNECT, and requests with a whole URL, each connection for one host. */
export async function startProxy(options: ProxyOptions = {}): Promise<TestProxy> {
  const { login, certificate, hosts = {}, refused = {}, answer } = options
  const requests: ProxiedRequest[] = []
  const sockets = new Set<Socket>()
  let connectionCount = 0
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const serve = (client: Socket) => {
    connectionCount++
    track(client)
    let received = Buffer.alloc(0)
    let upstream: Socket | null = null
    const onData = (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const request = parse(received.subarray(0, end).toString('latin1'))
        received = received.subarray(end + 4)
        requests.push(request)
        if (answer !== undefined) answer(client, request)
        else if (login !== undefined && request.headers['proxy-authorization'] !== basic(login))
          client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
        else if (request.line.startsWith('CONNECT ')) return tunnel(request.line.split(' ')[1] ?? '')
        else forward(request)
      }
    }
    const open = (host: string, onOpen: () => void) => {
      const [name = '', port] = (hosts[host] ?? host).split(':')
      const socket = connect(Number(port), name, onOpen)
      track(socket)
      socket.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'))
      // What has come before is still on its way to the client.
      socket.on('close', () => client.destroySoon())
      client.on('close', () => socket.destroy())
      return socket
    }
    const tunnel = (host: string) => {
      client.off('data', onData)
      const status = refused[host]
      if (status !== undefined) return void client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
      const socket = open(host, () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        socket.pipe(client)
        client.pipe(socket)
      })
    }
    const forward = ({ line, headers }: ProxiedRequest) => {
      const [method, target = ''] = line.split(' ')
      const url = new URL(target)
      const own = Object.entries(headers).filter(([name]) => !name.startsWith('proxy-'))
      const lines = own.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      if (upstream === null) {
        upstream = open(`${url.hostname}:${url.port || '80'}`, () => {})
        upstream.pipe(client, { end: true })
      }
      upstream.write(`${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines}\r\n`)
    }
    client.on('data', onData)
  }
  const server = certificate === undefined ? createServer(serve) : createTlsServer(certificate, serve)
  const port = await listen(server)
  return {
    host: `127.0.0.1:${port}`,
    requests,
    connectionCount: () => connectionCount,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function parse(head: string): ProxiedRequest {
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { line: first.replace(/ HTTP\/1\.1$/, ''), headers: Object.fromEntries(headers) }
}

function basic(login: string): string {
  return `Basic ${Buffer.from(login).toString('base64')}`
}
