import { randomFillSync } from 'node:crypto'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../support/until.ts'
import type { Bench } from '../bench.ts'
import type { Workload } from '../workloads.ts'
import { type Network, SERVER_ADDRESS } from './network.ts'

/** The files of a workload, in a directory. */
export interface Files {
  readonly root: string
  readonly urls: readonly string[]
}

/** Writes files of noise. They are an hour old: the tags that nginx makes of new files are not reliable. */
export function writeFiles({ newPath }: Bench, { count, sizeBytes }: Workload): Files {
  const root = newPath('files')
  mkdirSync(root)
  const bytes = new Uint8Array(sizeBytes)
  const names = Array.from({ length: count }, (_, n) => `${n}.bin`)
  const modifiedAt = new Date(Date.now() - 3_600_000)
  for (const name of names) {
    const path = join(root, name)
    writeFileSync(path, randomFillSync(bytes))
    utimesSync(path, modifiedAt, modifiedAt)
  }
  return { root, urls: names.map((name) => `http://${SERVER_ADDRESS}/${name}`) }
}

/** Serves files by nginx from the far end of a network. */
export async function startFarNginx(
  { newPath }: Bench,
  { onServer }: Network,
  root: string,
  connectionRate: string | null,
): Promise<AsyncDisposable> {
  const directory = newPath('nginx')
  mkdirSync(directory)
  const config = join(directory, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(directory, kind)};`,
  )
  writeFileSync(
    config,
    `user root; daemon off; worker_processes 1; pid ${join(directory, 'pid')};
    events { worker_connections 4096; }
    http {
      ${temporary.join('\n')}
      access_log off; sendfile on; tcp_nopush on;
      server {
        listen 80 backlog=4096; root ${root};
        ${connectionRate === null ? '' : `limit_rate ${connectionRate};`}
      }
    }`,
  )
  const child = Bun.spawn([...onServer, 'nginx', '-c', config, '-e', join(directory, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilAnswered(onServer)
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

async function untilAnswered(onServer: readonly string[]): Promise<void> {
  const ask = [...onServer, 'curl', '-s', '-o', '/dev/null', SERVER_ADDRESS]
  await until('nginx answers', () => Bun.spawnSync(ask).exitCode === 0, { everyMs: 50 })
}
