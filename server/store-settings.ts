import { z } from 'zod'
import {
  parseEndpoint,
  parseStoreAddress,
  type StoreAccess,
  type StoreAddress,
  storeAccessOf,
} from './archive-store/store-access.ts'
import { reject, switchSchema } from './setting-values.ts'

/** The settings of the archive store. */
export const STORE_SETTINGS = {
  archiveStore: {
    flag: 'archive-store',
    env: 'HOLDALL_ARCHIVE_STORE',
    value: 's3://BUCKET/PREFIX',
    help: 'bucket that finished archives are moved to; credentials by AWS_ACCESS_KEY_ID, ... (none)',
    schema: z
      .string()
      .transform(
        (text, context) =>
          parseStoreAddress(text) ?? reject(context, 's3://BUCKET/PREFIX, as in s3://zips/node1'),
      )
      .nullable()
      .default(null),
  },
  archiveStoreEndpoint: {
    flag: 'archive-store-endpoint',
    env: 'HOLDALL_ARCHIVE_STORE_ENDPOINT',
    value: 'URL',
    help: 'server of the bucket (AWS_ENDPOINT_URL, else AWS in the region AWS_REGION)',
    schema: z
      .string()
      .transform(
        (text, context) => parseEndpoint(text) ?? reject(context, 'an http or https URL without a path'),
      )
      .nullable()
      .default(null),
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
 */
export function storeAccess(
  {
    archiveStore,
    archiveStoreEndpoint,
  }: { archiveStore: StoreAddress | null; archiveStoreEndpoint: string | null },
  env: Readonly<Record<string, string | undefined>>,
): StoreAccess | null {
  if (archiveStore === null) return null
  return storeAccessOf(archiveStore, archiveStoreEndpoint ?? parseEndpoint(env.AWS_ENDPOINT_URL ?? ''), env)
}
