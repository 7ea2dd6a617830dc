import { expect, test } from 'bun:test'
import { join } from 'node:path'
import manifest from '../../package.json'
import { clientOf } from '../support/client.ts'
import { firstMatch } from '../support/first-match.ts'
import { resultOf } from '../support/holdall-command.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dir, '../..')
const FOLDER = join(ROOT, `dist/release-files/holdall-${manifest.version}-linux-arm64`)
/** QEMU runs the executable with the C library of the Debian packages qemu-user-static and libc6-arm64-cross. */
const ARM64 = ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu', join(FOLDER, 'holdall')]
const DEADLINE_MS = 120_000

test(
  'The release for Linux on arm64 packs an archive, runs the service, and backs it up and restores it',
  async () => {
    if (Bun.which('qemu-aarch64-static') === null)
      throw new Error('This test needs the Debian packages qemu-user-static and libc6-arm64-cross.')
    const build = Bun.spawn([process.execPath, 'server/build/release.ts', '--target', 'linux-arm64'], {
      cwd: ROOT,
    })
    expect(await build.exited).toBe(0)
    await using origin = await startOrigin()
    using dir = tempDir()
    const network = ['--allow-network', '127.0.0.0/8']
    const start = (args: readonly string[]) =>
      Bun.spawn([...ARM64, ...args], { cwd: dir.path, stdio: ['ignore', 'pipe', 'pipe'] })
    const run = (...args: readonly string[]) => resultOf(start(args))
    const bodies = [300_000, 2_000_000].map((sizeBytes) => ({
      url: origin.url(`/bytes/${sizeBytes}/${sizeBytes}.bin?seed=5`),
      entry: { name: `${sizeBytes}.bin`, sizeBytes, sha256: expectedSha256(sizeBytes, 5) },
    }))
    const urls = bodies.map(({ url }) => url)
    const entries = bodies.map(({ entry }) => entry)
    expect((await run('version')).stdout).toBe(`${manifest.version}\n`)
    expect((await run('zip', '-o', 'all.zip', ...network, ...urls)).exitCode).toBe(0)
    await expectReadable(dir.file('all.zip'), entries)

    const data = ['--data', dir.file('data')]
    await using service = start(['--listen', '127.0.0.1:0', '--no-open', ...network, ...data])
    const address = await firstMatch(service.stdout, /^Holdall listens on (\S+)$/m)
    const client = clientOf(() => address, (await run('key', 'create', ...data)).stdout.trim())
    const job = await client.untilEnded(await client.createJob({ urls }), DEADLINE_MS)
    expect(job.status).toBe('completed')
    await Bun.write(dir.file('job.zip'), await fetch(job.download_url ?? ''))
    await expectReadable(dir.file('job.zip'), entries)
    expect((await run('backup', 'backup.tar', ...data)).exitCode).toBe(0)
    expect((await run('restore', 'backup.tar', '--data', dir.file('restored'))).exitCode).toBe(0)
    service.kill('SIGTERM')
    expect(await service.exited).toBe(0)
  },
  2 * DEADLINE_MS,
)
