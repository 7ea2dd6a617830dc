import { chmodSync, writeFileSync } from 'node:fs'
import { freePort, untilListening } from './free-port.ts'
import { tempDir } from './temp-dir.ts'

/** The proxies that companies run, as far as they are installed. */
export const REAL_PROXIES = (['squid', 'tinyproxy'] as const).filter((name) => pathOf(name) !== null)

/**
 * Starts a proxy that may connect to every port of this machine.
 * @param login `USER:PASSWORD` that it asks for; null for none
 * @returns `127.0.0.1:PORT`
 */
export async function startRealProxy(
  name: (typeof REAL_PROXIES)[number],
  login: string | null,
): Promise<{ readonly host: string } & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const dir = stack.use(tempDir())
  // Squid reads its files as another user.
  chmodSync(dir.path, 0o755)
  const port = await freePort()
  const config = dir.file('config')
  const passwords = dir.file('passwords')
  const [user = '', password = ''] = login?.split(':') ?? []
  if (login !== null) writeFileSync(passwords, `${user}:${await hashed(password)}\n`)
  writeFileSync(
    config,
    name === 'squid' ? squid(port, login === null ? null : passwords) : tinyproxy(port, login),
  )
  const args = name === 'squid' ? ['-N', '-f', config] : ['-d', '-c', config]
  const child = Bun.spawn([pathOf(name) ?? name, ...args], { stdio: ['ignore', 'ignore', 'ignore'] })
  stack.defer(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  await untilListening(port)
  const parts = stack.move()
  return { host: `127.0.0.1:${port}`, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

/** Debian installs squid to a directory that only root has in its PATH. */
function pathOf(name: string): string | null {
  return Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin` })
}

function squid(port: number, passwords: string | null): string {
  const auth = `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${passwords}
auth_param basic children 1
acl known proxy_auth REQUIRED
http_access deny !known`
  return `http_port 127.0.0.1:${port}
${passwords === null ? '' : auth}
acl refused dstdomain refused.test
http_access deny refused
http_access allow all
cache deny all
access_log none
cache_log /dev/null
cache_store_log none
pid_filename none
pinger_enable off
shutdown_lifetime 0 seconds
`
}

function tinyproxy(port: number, login: string | null): string {
  return `Listen 127.0.0.1
Port ${port}
Timeout 60
MaxClients 100
LogLevel Critical
${login === null ? '' : `BasicAuth ${login.replace(':', ' ')}\n`}`
}

async function hashed(password: string): Promise<string> {
  const child = Bun.spawn(['openssl', 'passwd', '-apr1', password], { stdout: 'pipe' })
  return (await child.stdout.text()).trim()
}
