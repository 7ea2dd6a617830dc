import { existsSync, readFileSync } from 'node:fs'
import { writeDurably } from './durable.ts'

/** How to reach the service that runs on a data directory, for commands on the same machine. */
export interface ServiceOrigin {
  /** The origin in its links. */
  readonly origin: string
  /** The one that this machine reaches it at. */
  readonly localOrigin: string
  /** Random, anew at each start: who answers with it is that service, and not another one on its old port. */
  readonly runId: string
}

/** The header of `GET /health` that carries `runId`. */
export const RUN_ID_HEADER = 'holdall-run'

export function writeServiceOrigin(path: string, { origin, localOrigin, runId }: ServiceOrigin): void {
  writeDurably(path, `${[origin, localOrigin, runId].join('\n')}\n`)
}

/** Null when no service has left its address there, or none that can be read. */
export function readServiceOrigin(path: string): ServiceOrigin | null {
  const [origin = '', localOrigin = '', runId = ''] = existsSync(path)
    ? readFileSync(path, 'utf8').split('\n')
    : []
  return URL.canParse(origin) && URL.canParse(localOrigin) && runId !== ''
    ? { origin, localOrigin, runId }
    : null
}
