import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilListening } from '../support/free-port.ts'
import type { Bench } from './bench.ts'

export interface Nginx extends AsyncDisposable {
  readonly address: string
}

/** Serves the files of a directory by sendfile, with one process per core, as Debian configures it. */
export async function startNginx(bench: Bench, root: string): Promise<Nginx> {
  const port = await freePort()
  const directory = bench.newPath('nginx')
  mkdirSync(directory)
  const config = join(directory, 'nginx.conf')
  writeFileSync(config, configuration(directory, root, port))
  const child = Bun.spawn(['nginx', '-c', config, '-e', join(directory, 'error.log')], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await untilListening(port).catch((error) => {
    child.kill()
    throw error
  })
  return {
    address: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      // On SIGTERM the first process also ends the others.
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

function configuration(directory: string, root: string, port: number): string {
  // If root starts nginx, its workers run as another user, who cannot read the data directory.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(directory, kind)};`,
  )
  return `
    ${user}
    worker_processes auto;
    daemon off;
    pid ${join(directory, 'pid')};
    events { worker_connections 768; }
    http {
      ${temporary.join('\n')}
      access_log off;
      sendfile on;
      tcp_nopush on;
      types { application/zip zip; }
      server { listen 127.0.0.1:${port}; root ${root}; }
    }
  `
}
