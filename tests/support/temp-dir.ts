import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary directory, deleted when disposed of. */
export interface TempDir extends Disposable {
  readonly path: string
  /** The path of a file in it. */
  file(name: string): string
}

export function tempDir(): TempDir {
  const path = mkdtempSync(join(tmpdir(), 'holdall-test-'))
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}
