import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What may run beside a test file. `bun run check` runs the groups `short` and `idle`, `bun run check:full` all.
 */
export type TestGroup = 'short' | (typeof NAMED_GROUPS)[number]

const NAMED_GROUPS = ['idle', 'long', 'prompt', 'measuring'] as const

const FILES: Readonly<Record<(typeof NAMED_GROUPS)[number], readonly string[]>> = {
  /** They measure time or memory, as those that import `CPU_TIME_MODULE`: nothing else may run beside them. */
  measuring: [
    'executable/memory.test.ts',
    'executable/request-bounds.test.ts',
    'resilience/connection-shares.test.ts',
    'resilience/turns.test.ts',
    'security/hostile-headers.test.ts',
  ],
  /** They depend on how soon a thread runs, and wait for most of their time: they leave each other a processor. */
  prompt: [
    'executable/clients-per-address.test.ts',
    'executable/idle-clients.test.ts',
    'resilience/busy-database.test.ts',
    'resilience/power-loss.test.ts',
    'resilience/slot-shares.test.ts',
    'resilience/supervision.test.ts',
  ],
  /** They take less than a tenth of a processor. */
  idle: [
    'engine/connections/host-availability.test.ts',
    'executable/broken-disks.test.ts',
    'fetching/paused-process.test.ts',
    'resilience/silent-streams.test.ts',
    'resilience/stuck-thread.test.ts',
  ],
  /** They take four seconds or more of a check. */
  long: [
    'archive/zip64.test.ts',
    'executable/archive-store.test.ts',
    'executable/backup.test.ts',
    'executable/base.test.ts',
    'executable/continued-uploads.test.ts',
    'executable/faults.test.ts',
    'executable/kill.test.ts',
    'executable/kill-moments.test.ts',
    'executable/release.test.ts',
    'executable/reproducible.test.ts',
    'executable/reverse-proxies.test.ts',
    'executable/thousand-urls.test.ts',
    'resilience/base.test.ts',
    'resilience/cancel-and-retry.test.ts',
    'resilience/first-opening.test.ts',
    'resilience/held-bytes.test.ts',
    'resilience/webhook-delivery.test.ts',
  ],
}
/** Tests that import it compare processor times. */
const CPU_TIME_MODULE = 'support/cpu-time.ts'
const TESTS_DIR = join(import.meta.dir, '..')

/** @param path a test file, relative to `tests/` */
export function groupOf(path: string): TestGroup {
  const named = NAMED_GROUPS.find((group) => FILES[group].includes(path))
  if (named !== undefined) return named
  return readFileSync(join(TESTS_DIR, path), 'utf8').includes(CPU_TIME_MODULE) ? 'measuring' : 'short'
}

/** All files that are named here. */
export const NAMED_FILES: readonly string[] = NAMED_GROUPS.flatMap((group) => FILES[group])
