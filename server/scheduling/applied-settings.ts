import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../config/config.ts'
import { fetchSettingsOf } from '../config/source-settings.ts'
import { connectionsAt } from '../engine/connections/pool/rate-shares.ts'
import type { NetworkPolicy } from '../engine/job-order.ts'
import type { Reach, WorkerPool } from '../engine/threads/pool.ts'
import type { Settings } from '../settings/settings.ts'
import type { Scheduler } from './scheduler.ts'

/** How jobs reach their sources by these settings. */
export function reachOf(config: Config): Reach {
  return {
    bounds: {
      total: connectionsAt(config.limitRate, config.connections),
      perHost: config.hostConnections,
    },
    fetching: fetchSettingsOf(config),
  }
}

/**
 * Applies the settings that the owner changes to the jobs that run.
 * @param ownPort of the service
 * @returns a function that gives the policy of the time: the same object until it changes
 */
export function applySettings(
  settings: Settings,
  runner: Pick<WorkerPool, 'changeReach'>,
  scheduler: Pick<Scheduler, 'restartRuns' | 'wake'>,
  ownPort: number,
): () => NetworkPolicy {
  const policyOf = ({ allowNetworks }: Config) => ({ allowedNetworks: allowNetworks, ownPort })
  let policy = policyOf(settings.current)
  settings.onChange((before, after) => {
    policy = policyOf(after)
    runner.changeReach(reachOf(after))
    if (isReachedOtherwise(before, after)) scheduler.restartRuns()
    scheduler.wake()
  })
  return () => policy
}

/**
 * Whether runs that began before have to begin again: to stay out of networks, and to use a proxy, from now on, and because a run that
 * began without a limit of the rate keeps to none.
 */
function isReachedOtherwise(before: Config, after: Config): boolean {
  const hasLimit = before.limitRate === null && after.limitRate !== null
  const { allowNetworks, proxy, noProxy } = before
  return (
    hasLimit ||
    !isDeepStrictEqual([allowNetworks, proxy, noProxy], [after.allowNetworks, after.proxy, after.noProxy])
  )
}
