// server/decisions/health-logs-metrics.md says what the health check tells, and why.

import type { DataDir } from '../data/data-dir.ts'
import type { Database } from '../db/open.ts'
import { ServiceError } from '../errors.ts'
import { SHORTAGE_RETRY_MS } from '../files/descriptors.ts'
import { fileIdentity } from '../files/identity.ts'
import { probe } from '../files/probe.ts'
import { systemCode } from '../files/system-error.ts'
import type { Log } from '../logging/log.ts'

/** Checks whether the service can work. Probes the disks at most once per second, however often it is called. */
export interface Health {
  /** The reason why the service can't work, as a sentence without a path; null when it can work. */
  trouble(): Promise<string | null>
}

export interface HealthOptions {
  readonly db: Database
  readonly dir: DataDir
  readonly log: Log
  isStopping(): boolean
  /** Throws when a disk has no space for another job. */
  assertRoom(): void
}

/** Requests can't make the service probe the disks, which writes to them, more often than this. */
const PROBE_INTERVAL_MS = 1_000
/** How long a result is returned, even while the next probe runs: frequent requests never wait for a disk. */
const RESULT_TTL_MS = 5_000
/** A disk that takes longer for a small file counts as not responding. The next probe waits for the end of this one. */
const PROBE_TIMEOUT_MS = 4_000

export function openHealth(options: HealthOptions): Health {
  const { db, dir, log } = options
  const owner = fileIdentity(dir.archiveOwner)
  let disks: Promise<string | null> = Promise.resolve(null)
  let probedAtMs = -Infinity
  /** The result of the last probe that ended. */
  let lastResult: string | null = null
  let resultAtMs = -Infinity
  let isProbing = false
  let lastLogged: string | null = null

  /** Cheap, so it is checked on every call. */
  function databaseTrouble(): string | null {
    if (!db.isInPlace())
      return 'The database is no longer where the service opened it. Restore it, or restart the service.'
    return db.isReadable() ? null : 'The database cannot be read.'
  }

  function diskTrouble(): Promise<string | null> {
    if (!isProbing && performance.now() - probedAtMs >= PROBE_INTERVAL_MS) {
      probedAtMs = performance.now()
      isProbing = true
      const probed = probeDisks()
        .catch((error) => `The disk cannot be used (${systemCode(error) || 'unknown'}).`)
        .then((trouble) => {
          isProbing = false
          lastResult = trouble
          resultAtMs = performance.now()
          return trouble
        })
      disks = Promise.race([probed, probeTimeout()])
    }
    return performance.now() - resultAtMs < RESULT_TTL_MS ? Promise.resolve(lastResult) : disks
  }

  async function probeDisks(): Promise<string | null> {
    const dataError = await writeError(dir.root)
    if (dataError !== null) return `The data directory cannot be written (${dataError}).`
    const archiveError = await writeError(dir.archives)
    if (archiveError !== null) return `The archive directory cannot be written (${archiveError}).`
    if (owner === null || fileIdentity(dir.archiveOwner) !== owner)
      return 'The archive directory was replaced after the service started. Restore it, or restart the service.'
    return roomTrouble(options.assertRoom)
  }

  function logChange(trouble: string | null): void {
    if (trouble === lastLogged) return
    if (trouble === null) log.info('Holdall can work again')
    else log.error('Holdall cannot work', { reason: trouble })
    lastLogged = trouble
  }

  return {
    async trouble() {
      if (options.isStopping()) return 'The service is shutting down.'
      const trouble = databaseTrouble() ?? (await diskTrouble())
      logChange(trouble)
      return trouble
    },
  }
}

function roomTrouble(assertRoom: () => void): string | null {
  try {
    assertRoom()
    return null
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

/** The system's error code when the directory can't be written; null when it can. */
async function writeError(directory: string): Promise<string | null> {
  for (const startMs = performance.now(); ; ) {
    try {
      await probe(directory)
      return null
    } catch (error) {
      const code = systemCode(error) || 'unknown'
      if (code !== 'EMFILE' || performance.now() - startMs >= PROBE_TIMEOUT_MS) return code
      // Clients have taken all descriptors: the service is closing some of their connections.
      await Bun.sleep(SHORTAGE_RETRY_MS)
    }
  }
}

function probeTimeout(): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, PROBE_TIMEOUT_MS, 'The disk does not respond.').unref()
  })
}
