import { expect } from 'bun:test'
import { expectedSha256, type Origin } from './origin.ts'
import { expectReadable } from './readers.ts'
import { tempDir } from './temp-dir.ts'

/** The sources of an archive that is uploaded in several parts, with the entries that they give. */
export function storedJob(origin: Origin, seed: number, largeBytes = 20_000_000) {
  const bodies = [
    { name: 'large.bin', sizeBytes: largeBytes, type: '' },
    { name: 'text.txt', sizeBytes: 30_000, type: '&type=text/plain' },
    { name: 'small.bin', sizeBytes: 700, type: '' },
  ]
  const paths = bodies.map(({ name, sizeBytes, type }) => `/bytes/${sizeBytes}/${name}?seed=${seed}${type}`)
  return {
    paths,
    urls: paths.map(origin.url),
    entries: bodies.map(({ name, sizeBytes }) => ({
      name,
      sizeBytes,
      sha256: expectedSha256(sizeBytes, seed),
    })),
  }
}

/**
 * Downloads an archive with curl in two parts: the first megabyte, and then the rest with `-C -`. Expects that every reader of
 * ZIP archives finds the entries.
 */
export async function expectDownloadable(url: string, entries: ReturnType<typeof storedJob>['entries']) {
  using dir = tempDir()
  const path = dir.file('a.zip')
  await curl('-r', '0-999999', '-o', path, url)
  expect(Bun.file(path).size).toBe(1_000_000)
  await curl('-C', '-', '-o', path, url)
  await expectReadable(path, entries)
}

/** @returns the standard output */
export async function curl(...args: string[]): Promise<string> {
  const process = Bun.spawn(['curl', '-sSL', '--fail', ...args], { stdout: 'pipe', stderr: 'pipe' })
  const [output, errors] = await Promise.all([process.stdout.text(), process.stderr.text(), process.exited])
  expect(errors).toBe('')
  return output
}
