import {
  parseEndpoint,
  parseStoreAddress,
  type StoreAccess,
  type StoreAddress,
  storeAccessOf,
} from '../archive-store/store-access.ts'
import { orNull, parsed, SettingError, switchSchema } from './setting-values.ts'

const ENDPOINT = 'an http or https URL without a path'

/** The settings of the archive store. */
export const STORE_SETTINGS = {
  archiveStore: {
    flag: 'archive-store',
    env: 'HOLDALL_ARCHIVE_STORE',
    value: 's3://BUCKET/PREFIX',
    help: 'bucket that finished archives are moved to; credentials by AWS_ACCESS_KEY_ID, ... (none)',
    schema: orNull(parsed(parseStoreAddress, 's3://BUCKET/PREFIX, as in s3://zips/node1')),
  },
  archiveStoreEndpoint: {
    flag: 'archive-store-endpoint',
    env: 'HOLDALL_ARCHIVE_STORE_ENDPOINT',
    value: 'URL',
    help: 'server of the bucket (AWS_ENDPOINT_URL, else AWS in the region AWS_REGION)',
    schema: orNull(parsed(parseEndpoint, ENDPOINT)),
  },
  archiveStoreProxy: {
    flag: 'archive-store-proxy',
    env: 'HOLDALL_ARCHIVE_STORE_PROXY',
    value: null,
    help: 'send archives of the bucket through this service (clients are redirected to the bucket)',
    schema: switchSchema,
  },
} as const

/**
 * The access to the store, with the credentials of the environment. Null without a store, and without credentials: commands that
 * don't use the store need none.
 * @throws SettingError when `AWS_ENDPOINT_URL` is used and can't be parsed: the archives must not go to AWS instead
 */
export function readStoreAccess(
  { archiveStore, archiveStoreEndpoint }: StoreSettings,
  env: Environment,
): StoreAccess | null {
  if (archiveStore === null) return null
  return storeAccessOf(archiveStore, archiveStoreEndpoint ?? endpointIn(env), env)
}

type StoreSettings = { archiveStore: StoreAddress | null; archiveStoreEndpoint: string | null }
type Environment = Readonly<Record<string, string | undefined>>

function endpointIn({ AWS_ENDPOINT_URL }: Environment): string | null {
  if (!AWS_ENDPOINT_URL) return null
  const endpoint = parseEndpoint(AWS_ENDPOINT_URL)
  if (endpoint === null) throw new SettingError(`AWS_ENDPOINT_URL: expected ${ENDPOINT}`)
  return endpoint
}
