import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilListening } from './free-port.ts'
import { resultOf } from './holdall-command.ts'
import { tempDir } from './temp-dir.ts'
import { selfSigned } from './test-certificates.ts'

/** A proxy in front of a service, with its example from `server/deploy/`: only addresses and certificate are replaced. */
export interface ReverseProxy extends AsyncDisposable {
  /** Its own address as clients see it. Only `curl` of this object can resolve it. */
  readonly origin: string
  /** The origin whose requests it redirects to `origin`. */
  readonly insecureOrigin: string
  /** A command that trusts the certificate and resolves the host. */
  curl(...args: readonly string[]): string[]
}

export const PROXIES = ['nginx', 'Caddy'] as const

const HOST = 'archives.example.org'
const DEPLOY_DIR = join(import.meta.dir, '../../server/deploy')

/** @param address of the service */
export async function startReverseProxy(
  name: (typeof PROXIES)[number],
  address: string,
): Promise<ReverseProxy> {
  await using stack = new AsyncDisposableStack()
  const dir = stack.use(tempDir())
  await selfSigned(dir, HOST)
  const ports = { secure: await freePort(), insecure: await freePort() }
  const run = name === 'nginx' ? nginx : caddy
  const { check, start } = run(dir.path, new URL(address).host, ports)
  const checked = await resultOf(Bun.spawn(check, { env: ENV(dir.path), stdio: ['ignore', 'pipe', 'pipe'] }))
  if (checked.exitCode !== 0) throw new Error(`${name} refuses its example: ${checked.stderr}`)
  const child = Bun.spawn(start, { env: ENV(dir.path), stdio: ['ignore', 'ignore', 'ignore'] })
  stack.defer(async () => {
    child.kill('SIGTERM')
    await child.exited
  })
  await untilListening(ports.secure)
  await untilListening(ports.insecure)
  const resolve = Object.values(ports).flatMap((port) => ['--resolve', `${HOST}:${port}:127.0.0.1`])
  const parts = stack.move()
  return {
    origin: `https://${HOST}:${ports.secure}`,
    insecureOrigin: `http://${HOST}:${ports.insecure}`,
    curl: (...args) => ['curl', '-sS', '--cacert', dir.file(`${HOST}.crt`), ...resolve, ...args],
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

interface Commands {
  /** Checks the configuration. */
  readonly check: string[]
  readonly start: string[]
}

interface Ports {
  readonly secure: number
  readonly insecure: number
}

function nginx(dir: string, service: string, { secure, insecure }: Ports): Commands {
  const site = readFileSync(join(DEPLOY_DIR, 'nginx.conf'), 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${insecure};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${secure} ssl`)
    .replace('127.0.0.1:8420', service)
    .replaceAll('/etc/ssl/holdall', join(dir, HOST))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(dir, kind)};`,
  )
  // If root starts nginx, its processes otherwise run as another user, who cannot write to the directory.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const path = join(dir, 'nginx.conf')
  writeFileSync(
    path,
    `${user} daemon off; pid ${join(dir, 'pid')}; events {}
    http { access_log off; ${temporary.join(' ')} ${site} }`,
  )
  const command = ['nginx', '-c', path, '-e', join(dir, 'error.log')]
  return { check: [...command, '-t'], start: command }
}

function caddy(dir: string, service: string, { secure, insecure }: Ports): Commands {
  const site = readFileSync(join(DEPLOY_DIR, 'Caddyfile'), 'utf8')
    .replace(`${HOST} {`, `${HOST} {\n\tbind 127.0.0.1\n\ttls ${dir}/${HOST}.crt ${dir}/${HOST}.key`)
    .replace('127.0.0.1:8420', service)
  const path = join(dir, 'Caddyfile')
  const options = ['admin off', `http_port ${insecure}`, `https_port ${secure}`, 'default_bind 127.0.0.1']
  writeFileSync(path, `{\n\t${options.join('\n\t')}\n}\n${site}`)
  mkdirSync(join(dir, 'home'))
  const command = (name: string) => ['caddy', name, '--config', path, '--adapter', 'caddyfile']
  return { check: command('validate'), start: command('run') }
}

/** Caddy writes to its home directory. */
const ENV = (dir: string) => ({ PATH: process.env.PATH, HOME: join(dir, 'home') })
