import { type ArchiveStore, openArchiveStore } from '../archive-store/archive-store.ts'
import type { Config } from '../config/config.ts'
import { StartRefused } from '../errors.ts'

/**
 * The archive store of the settings; null when archives stay in the archive directory.
 * @throws StartRefused when the settings name one, but its credentials are missing
 */
export function openConfiguredStore(
  config: Pick<Config, 'archiveStore' | 'storeAccess' | 'archiveStoreProxy'>,
): ArchiveStore | null {
  if (config.archiveStore === null) return null
  if (config.storeAccess !== null) return openArchiveStore(config.storeAccess, config.archiveStoreProxy)
  throw new StartRefused(
    'The archive store needs credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or start without --archive-store.',
  )
}
