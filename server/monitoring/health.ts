import type { Database } from '../db/open.ts'
import { ServiceError } from '../errors.ts'
import type { DataDir } from '../files/data-dir.ts'
import { fileIdentity } from '../files/identity.ts'
import { probe } from '../files/probe.ts'
import { systemCode } from '../files/system-error.ts'
import type { Log } from '../logging/log.ts'

/** Whether the service can work. Anybody may ask as often as they like: the disks are looked at once a second at most. */
export interface Health {
  /** What keeps the service from working, as a sentence without a path, or null when nothing does. */
  trouble(): Promise<string | null>
}

export interface HealthOptions {
  readonly db: Database
  readonly dir: DataDir
  readonly log: Log
  isStopping(): boolean
  /** Throws when a disk has no room for another job. */
  assertRoom(): void
}

/** How long a look at the disks holds: nobody can make the service write more often than this. */
const FRESH_MS = 1_000
/** A disk that takes longer for a small file has stopped answering. Another look waits until this one has ended. */
const PATIENCE_MS = 2_000

export function openHealth(options: HealthOptions): Health {
  const { db, dir, log } = options
  const owner = fileIdentity(dir.archiveOwner)
  let disks: Promise<string | null> = Promise.resolve(null)
  let lookedAtMs = -Infinity
  let isLooking = false
  let told: string | null = null

  /** Costs next to nothing, so it is never old. */
  function databaseTrouble(): string | null {
    if (!db.isInPlace())
      return 'The database is no longer where the service opened it. Put it back, or start again.'
    return db.works() ? null : 'The database cannot be read.'
  }

  function diskTrouble(): Promise<string | null> {
    if (!isLooking && performance.now() - lookedAtMs >= FRESH_MS) {
      lookedAtMs = performance.now()
      isLooking = true
      const looked = look()
        .catch((error) => `The disk cannot be used (${systemCode(error) || 'unknown'}).`)
        .finally(() => {
          isLooking = false
        })
      disks = Promise.race([looked, lapse()])
    }
    return disks
  }

  async function look(): Promise<string | null> {
    const unwritable = await refusal(dir.root)
    if (unwritable !== null) return `The data directory cannot be written (${unwritable}).`
    const unpackable = await refusal(dir.archives)
    if (unpackable !== null) return `The archive directory cannot be written (${unpackable}).`
    if (owner === null || fileIdentity(dir.archiveOwner) !== owner)
      return 'The archive directory is no longer the one that the service began with. Put it back, or start again.'
    return roomTrouble(options.assertRoom)
  }

  function tell(trouble: string | null): void {
    if (trouble === told) return
    if (trouble === null) log.info('Holdall can work again')
    else log.error('Holdall cannot work', { reason: trouble })
    told = trouble
  }

  return {
    async trouble() {
      if (options.isStopping()) return 'The service is shutting down.'
      const trouble = databaseTrouble() ?? (await diskTrouble())
      tell(trouble)
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

/** What the system calls its refusal to write there, or null when it writes. */
async function refusal(directory: string): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    try {
      await probe(directory)
      return null
    } catch (error) {
      const code = systemCode(error) || 'unknown'
      if (code !== 'EMFILE' || tries === MAX_TRIES) return code
      // Clients that have taken all descriptors lose them within a second.
      await Bun.sleep(TRY_AGAIN_MS)
    }
  }
}

const MAX_TRIES = 10
const TRY_AGAIN_MS = 100

function lapse(): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS, 'The disk does not answer.').unref()
  })
}
