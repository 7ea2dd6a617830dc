/**
 * `bun run dev`: the service from its source and the interface from Vite, at one address. A change in `server/` restarts the
 * service, and a change in `ui/` appears in open pages. Arguments are passed on to the service: `bun run dev --jobs 8`.
 */
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createServer } from 'vite'
import { freePort } from '../support/free-port.ts'
import { startOrigin } from '../support/origin.ts'
import { DATA_DIR, ROOT, SOURCES_PORT } from './places.ts'

const PORT = 8420
const MAIN = join(ROOT, 'server/main.ts')
const servicePort = await freePort()
const address = `http://127.0.0.1:${PORT}`
const settings = ['--data', DATA_DIR, '--base-url', address]

await using origin = await startOrigin('127.0.0.1', SOURCES_PORT)
const vite = await createServer({
  configFile: join(ROOT, 'ui/vite.config.ts'),
  clearScreen: false,
  server: {
    host: '127.0.0.1',
    port: PORT,
    strictPort: true,
    // The interface imports the client from `server/`.
    fs: { allow: [ROOT] },
    proxy: {
      '/': {
        target: `http://127.0.0.1:${servicePort}`,
        bypass: (request) => (isForVite(request) ? documentOf(request.url) : undefined),
      },
    },
  },
})
await vite.listen()
const service = Bun.spawn(
  [
    process.execPath,
    '--watch',
    '--no-clear-screen',
    MAIN,
    ...settings,
    ...['--listen', `127.0.0.1:${servicePort}`, '--allow-network', '127.0.0.0/8', '--no-open'],
    ...process.argv.slice(2),
  ],
  // One job at a time, so that the waiting job of the samples waits.
  { cwd: ROOT, env: { HOLDALL_JOBS: '1', ...process.env }, stdio: ['ignore', 'inherit', 'inherit'] },
)
process.on('SIGINT', () => service.kill('SIGINT'))
process.on('SIGTERM', () => service.kill('SIGTERM'))
if (await isServing()) {
  console.log(`\nFiles to pack: ${origin.url('/bytes/100000/a.bin')} (see tests/support/origin/routes.ts)`)
  console.log(`Sources that misbehave, by name: ${origin.url('/')}`)
  console.log(`Sign in: ${signInLink()}`)
}
process.exitCode = await service.exited
await vite.close()

/** Modules, and the page of the interface. The reference is a page of the service, and so is a download. */
function isForVite({ url = '/', headers }: IncomingMessage): boolean {
  if (/^\/(?:@|src\/|node_modules\/)/.test(url)) return true
  const isNavigation = headers.accept?.includes('text/html') ?? false
  return isNavigation && !/^\/(?:docs|download)\b/.test(url)
}

/** Vite has the page for receivers at its file name only. Without the answer of the service in it, its script asks for that. */
function documentOf(url = '/'): string {
  return url.startsWith('/share/') ? '/share.html' : url
}

/** Waits until the service responds, or has ended. */
async function isServing(): Promise<boolean> {
  while (service.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${servicePort}/health`).catch(() => null)
    if (response?.ok) return true
    await Bun.sleep(100)
  }
  return false
}

function signInLink(): string {
  return Bun.spawnSync([process.execPath, MAIN, 'sign-in-link', ...settings])
    .stdout.toString()
    .trim()
}
