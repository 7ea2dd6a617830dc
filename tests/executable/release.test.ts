// test group: long
import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import manifest from '../../package.json'
import { clientOf } from '../support/client.ts'
import { firstMatch } from '../support/first-match.ts'
import { resultOf } from '../support/holdall-command.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dir, '../..')
const RELEASE_DIR = join(ROOT, 'dist/release')
const NAME = `holdall-${manifest.version}-linux-x64`
const TEST_TIMEOUT_MS = 180_000

/** Packs from the UI that `bun run build` has made. */
const build = await resultOf(
  Bun.spawn([process.execPath, join(ROOT, 'server/build/release.ts')], { stdio: ['ignore', 'pipe', 'pipe'] }),
)

describe('A release', () => {
  test('has an archive with its documents, a list of what it contains, and checksums that fit', async () => {
    expect([build.exitCode, build.stderr]).toEqual([0, ''])
    const checked = Bun.spawnSync(['sha256sum', '--check', '--strict', 'checksums.txt'], { cwd: RELEASE_DIR })
    expect(checked.stdout.toString().trim().split('\n')).toEqual([
      `${NAME}.tar.gz: OK`,
      `holdall-${manifest.version}.cdx.json: OK`,
    ])
    const { stdout } = Bun.spawnSync(['tar', '-tzvf', join(RELEASE_DIR, `${NAME}.tar.gz`)])
    const files = stdout.toString().trim().split('\n')
    expect(files.map((line) => [line.slice(0, 10), line.split(/\s+/)[1], line.split(' ').at(-1)])).toEqual([
      ['drwxr-xr-x', '0/0', `${NAME}/`],
      ['-rw-r--r--', '0/0', `${NAME}/CHANGELOG.md`],
      ['-rw-r--r--', '0/0', `${NAME}/LICENSE`],
      ['-rw-r--r--', '0/0', `${NAME}/README.md`],
      ['-rw-r--r--', '0/0', `${NAME}/THIRD-PARTY-NOTICES.txt`],
      ['-rwxr-xr-x', '0/0', `${NAME}/holdall`],
    ])
  })

  test('lists what it contains in valid CycloneDX, with the license of each package', () => {
    const bom = JSON.parse(readFileSync(join(RELEASE_DIR, `holdall-${manifest.version}.cdx.json`), 'utf8'))
    // Formats of e-mail addresses and references, which this list does not use, are in no package that we have.
    const ajv = new Ajv({ strict: false, formats: { 'idn-email': true, 'iri-reference': true } })
    addFormats(ajv)
    const isValid = ajv.addSchema([schema('jsf-0.82'), schema('spdx')]).compile(schema('bom-1.6'))
    expect([isValid(bom), isValid.errors]).toEqual([true, null])
    const names = bom.components.map(({ name }: { name: string }) => name)
    expect(names).toEqual(
      expect.arrayContaining([...Object.keys(manifest.dependencies), 'bun', '@kobalte/core']),
    )
    expect(names).not.toContain('typescript')
    const notices = readFileSync(join(ROOT, 'dist/release-files', NAME, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const { name, version, licenses } of bom.components) {
      expect([name, licenses.length]).toEqual([name, 1])
      expect(notices.toLowerCase()).toContain(`${name} ${version} (`)
    }
  })

  test(
    'runs where there is neither Bun nor Node, as a user without privileges',
    async () => {
      await using origin = await startOrigin()
      using dir = tempDir()
      chmodSync(dir.path, 0o777)
      const unpacked = Bun.spawnSync(['tar', '-xzf', join(RELEASE_DIR, `${NAME}.tar.gz`), '-C', dir.path])
      expect(unpacked.exitCode).toBe(0)
      const body = { url: origin.url('/bytes/300000/file.bin?seed=3'), sizeBytes: 300_000, seed: 3 }
      const packed = await run(dir.path, ['zip', '-o', 'all.zip', '--allow-network', '127.0.0.0/8', body.url])
      // On a busy machine, lines of the progress are before it.
      expect([packed.exitCode, packed.stdout]).toEqual([0, ''])
      expect(packed.stderr).toEndWith('1 file, 300.14 KB\n')
      await expectReadable(dir.file('all.zip'), [
        { name: 'file.bin', sizeBytes: body.sizeBytes, sha256: expectedSha256(body.sizeBytes, body.seed) },
      ])
      const data = ['--data', dir.file('data')]
      await using service = start(dir.path, [
        '--listen',
        '127.0.0.1:0',
        '--allow-network',
        '127.0.0.0/8',
        ...data,
      ])
      const address = await firstMatch(service.stdout, /^Holdall listens on (\S+)$/m)
      const { stdout: key } = await run(dir.path, ['key', 'create', ...data])
      const client = clientOf(() => address, key.trim())
      const job = await client.untilEnded(await client.createJob({ urls: [body.url] }))
      const archive = await (await fetch(job.download_url ?? '')).bytes()
      expect([job.status, archive.length]).toEqual(['completed', job.zip_size])
      expect(await run(dir.path, ['backup', 'backup.tar', ...data])).toMatchObject({
        exitCode: 0,
        stderr: '',
      })
      service.kill('SIGTERM')
      expect(await service.exited).toBe(0)
      const restored = ['--data', dir.file('restored')]
      const restore = await run(dir.path, ['restore', 'backup.tar', ...restored])
      expect(restore).toEqual({ exitCode: 0, stdout: `${dir.file('restored')}\n`, stderr: '' })
      await using successor = start(dir.path, ['--listen', '127.0.0.1:0', ...restored])
      const newAddress = await firstMatch(successor.stdout, /^Holdall listens on (\S+)$/m)
      const oldLink = new URL(job.download_url ?? '').pathname
      expect(await (await fetch(newAddress + oldLink)).bytes()).toEqual(archive)
      const install = await run(dir.path, ['install', '--dry-run'])
      expect([install.exitCode, install.stderr]).toEqual([0, ''])
      expect(install.stdout).toContain(`ExecStart=${join(dir.path, NAME, 'holdall')} serve --no-open\n`)
      expect(install.stdout).toContain('Would run: systemctl --user enable holdall.service')
      expect(existsSync(dir.file('.config'))).toBe(false)
    },
    TEST_TIMEOUT_MS,
  )
})

/** One of the schemas that the standard publishes. */
function schema(name: string) {
  const directory = join(ROOT, 'node_modules/@cyclonedx/cyclonedx-library/res/schema')
  const file = `${name}.SNAPSHOT.schema.json`
  // The schemas refer to each other by the names of these files, which their ids do not have.
  const $id = `http://cyclonedx.org/schema/${file}`
  return { ...JSON.parse(readFileSync(join(directory, file), 'utf8')), $id }
}

/** Starts the unpacked executable in its directory, with nothing on PATH and as a user that owns nothing. */
function start(directory: string, args: readonly string[]) {
  const setpriv = [Bun.which('setpriv') ?? '', '--reuid=65534', '--regid=65534', '--clear-groups']
  const asNobody = process.getuid?.() === 0 ? [...setpriv, '--inh-caps=-all'] : []
  return Bun.spawn([...asNobody, join(directory, NAME, 'holdall'), ...args], {
    cwd: directory,
    env: { PATH: '/nowhere', HOME: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function run(directory: string, args: readonly string[]) {
  return resultOf(start(directory, args))
}
