import type { Bench } from './bench.ts'
import { type Contender, NotInstalled, type Sample } from './contenders/contender.ts'

/** The samples of several contenders that ran alternately. */
export interface Turns {
  /** One sample per round, by the name of the sample. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>
  /** Why a contender has no samples, by its name. */
  readonly absences: ReadonlyMap<string, string>
}

/**
 * Runs each contender once per round, so that a change of the machine's speed affects all of them. Each round starts
 * with another contender, so that the order changes.
 */
export async function takeTurns(
  contenders: readonly Contender[],
  { rounds, signal, workDir }: Pick<Bench, 'rounds' | 'signal' | 'workDir'>,
): Promise<Turns> {
  const samples = new Map<string, Sample[]>()
  const absences = new Map<string, string>()
  for (const { name, absence } of contenders) if (absence !== null) absences.set(name, absence)
  for (let round = 0; round < rounds; round++) {
    const begin = round % contenders.length
    for (const contender of [...contenders.slice(begin), ...contenders.slice(0, begin)]) {
      if (absences.has(contender.name)) continue
      signal.throwIfAborted()
      settleDisk(workDir)
      const taken = await contender.run().catch((error: unknown) => {
        if (!contender.isPeer || signal.aborted) throw error
        const message = error instanceof Error ? error.message : String(error)
        absences.set(contender.name, error instanceof NotInstalled ? message : `failed: ${message}`)
        return null
      })
      for (const [name, sample] of Object.entries(taken ?? {})) {
        samples.set(name, [...(samples.get(name) ?? []), sample])
      }
    }
  }
  for (const name of absences.keys()) samples.delete(name)
  return { samples, absences }
}

/** Syncs the disk, so that a contender does not wait for what the previous one left in the page cache. */
function settleDisk(directory: string): void {
  Bun.spawnSync(['sync', '--file-system', directory])
}
