import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { findNode } from './find-node.ts'
import { PYTHON } from './python.ts'

/**
 * Checks that the programs that the tests run are installed: Chromium, Firefox, WebKit, ZIP readers, HTTP clients, strace, Node, an
 * S3 server. Installs missing programs with `apt-get` if possible, and throws if one is still missing.
 * @returns environment variables for the tests. The headless shell of Chromium has no window, and takes a quarter less processor
 *   time.
 */
export async function ensureTools(): Promise<{
  PATH: string
  HOLDALL_TEST_CHROMIUM: string
  HOLDALL_TEST_CHROMIUM_SHELL: string
  HOLDALL_TEST_FIREFOX: string
}> {
  const missing = Object.entries(PACKAGES).filter(([program]) => Bun.which(program, { PATH }) === null)
  const packages = [...new Set(missing.map(([, debianPackage]) => debianPackage))]
  if (findFirefox() === null) packages.push('firefox-esr')
  if (!hasSwift()) packages.push('python3-swift')
  if (findChromium() === null) packages.push('chromium')
  if (packages.length > 0) await aptInstall(packages)
  // By itself, because some distributions do not have it.
  if (Bun.which(CHROMIUM_SHELL) === null) await aptInstall([CHROMIUM_SHELL])
  for (const program of Object.keys(PACKAGES)) {
    if (Bun.which(program, { PATH }) === null)
      throw new Error(`The tests need ${program}: please install it.`)
  }
  if (!hasSwift()) throw new Error('The tests need OpenStack Swift: please install python3-swift.')
  const firefox = findFirefox()
  if (firefox === null) throw new Error('The browser tests need Firefox: please install it.')
  findNode()
  const chromiumPath = findChromium() ?? (await playwrightChromium())
  return {
    PATH,
    HOLDALL_TEST_CHROMIUM: chromiumPath,
    HOLDALL_TEST_CHROMIUM_SHELL: Bun.which(CHROMIUM_SHELL) ?? chromiumPath,
    HOLDALL_TEST_FIREFOX: firefox,
  }
}

/** Debian installs nginx to a directory that only root has in its PATH. */
const PATH = `${process.env.PATH}:/usr/sbin`

const CHROMIUM_SHELL = 'chromium-headless-shell'

/** The Debian package of each program. */
const PACKAGES: Readonly<Record<string, string>> = {
  unzip: 'unzip',
  '7z': 'p7zip-full',
  bsdtar: 'libarchive-tools',
  python3: 'python3',
  curl: 'curl',
  openssl: 'openssl',
  strace: 'strace',
  'systemd-analyze': 'systemd',
  nginx: 'nginx-light',
  caddy: 'caddy',
  memcached: 'memcached',
  WebKitWebDriver: 'webkit2gtk-driver',
  Xvfb: 'xvfb',
}

/** The S3 server of the tests is a Python package. To import all of it takes a second. */
function hasSwift(): boolean {
  const find = "import importlib.util, sys; sys.exit(importlib.util.find_spec('swift.proxy.server') is None)"
  return existsSync(PYTHON) && Bun.spawnSync([PYTHON, '-c', find]).exitCode === 0
}

function findFirefox(): string | null {
  return Bun.which('firefox-esr') ?? Bun.which('firefox')
}

function findChromium(): string | null {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
  const found =
    names.map((name) => Bun.which(name)).find((path) => path !== null) ?? chromium.executablePath()
  return existsSync(found) ? found : null
}

async function aptInstall(packages: readonly string[]): Promise<void> {
  if (Bun.which('apt-get') === null || process.getuid?.() !== 0) return
  console.log(`Installing ${packages.join(', ')} ...`)
  await run(['apt-get', 'update', '-qq'])
  await run(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages])
}

async function playwrightChromium(): Promise<string> {
  const cli = new URL('../../node_modules/playwright/cli.js', import.meta.url).pathname
  await run([process.execPath, cli, 'install', '--with-deps', 'chromium'])
  const path = chromium.executablePath()
  if (!existsSync(path)) throw new Error('The browser tests need Chromium: please install it.')
  return path
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await child.exited
}
