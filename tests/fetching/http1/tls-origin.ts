import { join } from 'node:path'
import { PYTHON } from '../../support/python.ts'
import type { TempDir } from '../../support/temp-dir.ts'

/** Starts a source with TLS. @param certificate the name of the files in the directory, without their extensions */
export async function startTlsOrigin(
  dir: TempDir,
  version: string,
  certificate = 'source.test.1',
): Promise<{ host: string } & AsyncDisposable> {
  const files = [dir.file(`${certificate}.crt`), dir.file(`${certificate}.key`)]
  const child = Bun.spawn(
    [PYTHON, join(import.meta.dir, '../../support/origin/tls-origin.py'), ...files, version],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const { value } = await child.stdout.getReader().read()
  return {
    host: `127.0.0.1:${new TextDecoder().decode(value).trim()}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}
