import { expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signInOwner } from '../support/client.ts'
import { EXECUTABLE, startHoldall } from '../support/executable.ts'
import { type ExpectedEntry, expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'
import { type DiskUse, watchDiskUse } from './disk-use.ts'
import { type FileOrigin, startFileOrigin } from './file-origin.ts'

const MAX_MEMORY_BYTES = 250_000_000
const TEST_TIMEOUT_MS = 30 * 60_000

type Bodies = readonly (readonly [sizeBytes: number, name: string])[]

const numbered = (count: number, sizeBytes: number, extension: string): Bodies =>
  Array.from({ length: count }, (_, index) => [sizeBytes, `${index}.${extension}`] as const)

test.each<[string, Bodies]>([
  [
    'a body of 5 GiB, with one of 200 bytes after it',
    [
      [5 * 2 ** 30, 'huge.bin'],
      [200, 'small.bin'],
    ],
  ],
  ['4 bodies of 1 GB', numbered(4, 1_000_000_000, 'bin')],
])(
  'The service packs %s for every reader, writes each byte once and uses little memory',
  async (_what, bodies) => {
    await using origin = startFileOrigin()
    await using holdall = await startHoldall({ args: ['--connections', '8'] })
    const client = await signInOwner(holdall)
    const archives = join(holdall.dataDir, 'archives')
    using use = watchDiskUse(holdall.pid, archives)
    const urls = bodies.map(([sizeBytes, name]) => origin.url(sizeBytes, name))
    const job = await client.untilEnded(await client.createJob({ urls }), TEST_TIMEOUT_MS)
    expect(job.failure).toBeUndefined()
    const { peakMemoryBytes } = expectWrittenOnce(use, statSync(join(archives, `${job.id}.zip`)).size)
    expect(peakMemoryBytes).toBeLessThan(MAX_MEMORY_BYTES)
    await expectReadable(join(archives, `${job.id}.zip`), await entriesOf(origin, bodies))
  },
  TEST_TIMEOUT_MS,
)

test(
  'The command line packs 70,000 bodies of 200 bytes and 4 of 1.2 GiB for every reader, and writes each byte once',
  async () => {
    await using origin = startFileOrigin()
    using dir = tempDir()
    using output = tempDir()
    const bodies: Bodies = [
      ...numbered(35_000, 200, 'bin'),
      ...numbered(4, Math.floor(1.2 * 2 ** 30), 'large'),
      ...numbered(35_000, 200, 'dat'),
    ]
    writeFileSync(dir.file('list.txt'), bodies.map(([size, name]) => origin.url(size, name)).join('\n'))
    const zip = output.file('all.zip')
    const args = ['zip', '-i', dir.file('list.txt'), '-o', zip, '--allow-network', '127.0.0.0/8']
    const child = Bun.spawn([EXECUTABLE, ...args], { stdio: ['ignore', 'ignore', 'ignore'] })
    using use = watchDiskUse(child.pid, output.path)
    expect(await child.exited).toBe(0)
    expectWrittenOnce(use, statSync(zip).size)
    await expectReadable(zip, await entriesOf(origin, bodies))
  },
  TEST_TIMEOUT_MS,
)

/** At most 1.05 bytes of disk space, and 1.05 bytes written, per byte of the archive. */
function expectWrittenOnce(use: ReturnType<typeof watchDiskUse>, zipBytes: number): DiskUse {
  const figures = use.figures()
  const { peakBytes, bySystemCallsBytes, toDiskBytes, peakMemoryBytes } = figures
  const ratio = (bytes: number) => (bytes / zipBytes).toFixed(4)
  console.log(
    `${zipBytes} bytes; disk at most x ${ratio(peakBytes)}, written x ${ratio(bySystemCallsBytes)}, ` +
      `to the disk x ${ratio(toDiskBytes)}, memory at most ${(peakMemoryBytes / 1e6).toFixed(0)} MB`,
  )
  expect(peakBytes).toBeLessThan(zipBytes * 1.05)
  expect(bySystemCallsBytes).toBeLessThan(zipBytes * 1.05)
  expect(toDiskBytes).toBeLessThan(zipBytes * 1.05)
  return figures
}

async function entriesOf(origin: FileOrigin, bodies: Bodies): Promise<ExpectedEntry[]> {
  const entries: ExpectedEntry[] = []
  for (const [sizeBytes, name] of bodies) entries.push(await origin.entry(sizeBytes, name))
  return entries
}
