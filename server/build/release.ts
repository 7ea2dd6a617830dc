// server/decisions/releases.md says what is released for which system, and how it is checked.

/**
 * `bun run release [--all] [--target NAME]...`: packs an archive per system to `dist/release/`, with `checksums.txt` and a bill
 * of materials. Without arguments, for Linux on x64. The same commit gives the same bytes.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageManager, version } from '../../package.json'
import { buildExecutable, ROOT } from './executable.ts'
import { packFolder } from './release-archive.ts'
import { RELEASE_TARGETS, type ReleaseTarget } from './release-targets.ts'
import { shippedPackages } from './shipped-packages.ts'
import { billOfMaterials, thirdPartyNotices } from './third-party.ts'

const RELEASE_DIR = join(ROOT, 'dist/release')
const RUNTIMES_DIR = join(ROOT, 'dist/runtimes')
const bunVersion = packageManager.replace('bun@', '')
if (Bun.version !== bunVersion)
  throw new Error(`A release is built by Bun ${bunVersion}, not by ${Bun.version}.`)

const { values } = parseArgs({
  options: { all: { type: 'boolean' }, target: { type: 'string', multiple: true } },
})
const targets = values.all ? RELEASE_TARGETS : (values.target ?? ['linux-x64']).map(targetNamed)
const time = await commitTime()
const packages = shippedPackages()
rmSync(RELEASE_DIR, { recursive: true, force: true })
mkdirSync(RELEASE_DIR, { recursive: true })
for (const target of targets) await pack(target)
writeFileSync(
  join(RELEASE_DIR, `holdall-${version}.cdx.json`),
  billOfMaterials(version, packages, bunVersion, time),
)
writeFileSync(join(RELEASE_DIR, 'checksums.txt'), await checksums())

function targetNamed(name: string): ReleaseTarget {
  const found = RELEASE_TARGETS.find((target) => target.name === name)
  if (found === undefined)
    throw new Error(`--target: expected one of ${RELEASE_TARGETS.map((target) => target.name).join(', ')}.`)
  return found
}

async function pack(target: ReleaseTarget): Promise<void> {
  const name = `holdall-${version}-${target.name}`
  const folder = join(ROOT, 'dist/release-files', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const path = await installRuntime(target)
  await buildExecutable(join(folder, 'holdall'), { target: target.compileTarget, path })
  for (const document of ['LICENSE', 'README.md', 'server/CHANGELOG.md'])
    cpSync(join(ROOT, document), join(folder, document.replace('server/', '')))
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(packages, bunVersion))
  const kind = target.runtime.os === 'win32' ? 'zip' : 'tar.gz'
  const archive = join(RELEASE_DIR, `${name}.${kind}`)
  await Bun.write(archive, await packFolder(folder, kind, time))
  console.log(`${archive} ${(Bun.file(archive).size / 1e6).toFixed(1)} MB`)
}

/** The runtimes are npm packages. `runtimes/bun.lock` pins their versions and digests. @returns the path of the executable */
async function installRuntime({ runtime }: ReleaseTarget): Promise<string> {
  const directory = join(RUNTIMES_DIR, `${runtime.os}-${runtime.cpu}`)
  mkdirSync(directory, { recursive: true })
  for (const name of ['package.json', 'bun.lock'])
    cpSync(join(import.meta.dir, 'runtimes', name), join(directory, name))
  const options = ['--frozen-lockfile', '--silent', `--os=${runtime.os}`, `--cpu=${runtime.cpu}`]
  const child = Bun.spawn([process.execPath, 'install', ...options], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const path = join(
    directory,
    'node_modules',
    runtime.package,
    'bin',
    runtime.os === 'win32' ? 'bun.exe' : 'bun',
  )
  if ((await child.exited) !== 0 || !existsSync(path))
    throw new Error(`${runtime.package} was not installed.`)
  return path
}

/** In the format of `sha256sum --check`. */
async function checksums(): Promise<string> {
  const lines = readdirSync(RELEASE_DIR)
    .toSorted()
    .map(async (name) => {
      const bytes = await Bun.file(join(RELEASE_DIR, name)).bytes()
      return `${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}  ${name}\n`
    })
  return (await Promise.all(lines)).join('')
}

async function commitTime(): Promise<Date> {
  const seconds = await Bun.$`git log -1 --format=%ct`.cwd(ROOT).text()
  return new Date(Number(seconds) * 1000)
}
