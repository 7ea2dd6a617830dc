import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilListening } from '../support/free-port.ts'
import type { Bench } from './bench.ts'

export interface Nginx extends AsyncDisposable {
  /** Sends by sendfile, as in the configuration that nginx comes with. */
  readonly address: string
  /** Also has `tcp_nopush`, as Debian configures it: only full segments are sent. */
  readonly addressWithNopush: string
}

/** Serves the files of a directory, with one process per core. */
export async function startNginx(bench: Bench, root: string): Promise<Nginx> {
  const [port, portWithNopush] = [await freePort(), await freePort()]
  const directory = bench.newPath('nginx')
  mkdirSync(directory)
  const config = join(directory, 'nginx.conf')
  writeFileSync(config, configuration(directory, root, port, portWithNopush))
  const child = Bun.spawn(['nginx', '-c', config, '-e', join(directory, 'error.log')], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await untilListening(port).catch((error) => {
    child.kill()
    throw error
  })
  return {
    address: `http://127.0.0.1:${port}`,
    addressWithNopush: `http://127.0.0.1:${portWithNopush}`,
    async [Symbol.asyncDispose]() {
      // On SIGTERM the first process also ends the others.
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

function configuration(directory: string, root: string, port: number, portWithNopush: number): string {
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
      types { application/zip zip; }
      server { listen 127.0.0.1:${port}; root ${root}; }
      server { listen 127.0.0.1:${portWithNopush}; root ${root}; tcp_nopush on; }
    }
  `
}
