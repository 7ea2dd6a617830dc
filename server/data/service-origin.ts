import { replaceFile } from '../files/durable.ts'
import { readOwnFile } from '../files/own-file.ts'

/** How commands on the same machine reach the service that runs on a data directory. */
export interface ServiceOrigin {
  /** The origin in its links. */
  readonly origin: string
  /** The origin for requests from this machine. */
  readonly localOrigin: string
  /** A new random id per start. It distinguishes the service from another one on the same port. */
  readonly runId: string
}

/** The header of `GET /health` that carries `runId`. */
export const RUN_ID_HEADER = 'holdall-run'

export function writeServiceOrigin(path: string, { origin, localOrigin, runId }: ServiceOrigin): void {
  // Each start writes it again, so it need not survive a loss of power.
  replaceFile(path, `${[origin, localOrigin, runId].join('\n')}\n`)
}

/** Null when the file is missing or invalid. */
export function readServiceOrigin(path: string): ServiceOrigin | null {
  const [origin = '', localOrigin = '', runId = ''] = readOwnFile(path)?.split('\n') ?? []
  return URL.canParse(origin) && URL.canParse(localOrigin) && runId !== ''
    ? { origin, localOrigin, runId }
    : null
}
