import { and, count, desc, eq, gt, isNull, ne, or, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { sites } from '../db/site-schema.ts'
import type { ListPlace } from '../paging.ts'
import type { Site } from './site.ts'

/** The sites of all users. */
export type SiteStore = ReturnType<typeof openSiteStore>

/** A site with its sealed headers. */
export interface SealedSite extends Site {
  readonly sealed: Buffer
}

export function openSiteStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const userId = sql.placeholder('userId')
  const isOwn = eq(sites.userId, userId)
  // As in the index `sites_shared`.
  const isShared = sql`is_shared`
  const isInForce = or(isNull(sites.expiresAt), gt(sites.expiresAt, sql.placeholder('now')))
  const newestFirst = [desc(sites.createdAt), desc(sites.id)]

  const page = orm
    .select(SITE)
    .from(sites)
    .where(
      and(
        or(isOwn, isShared),
        sql`(${sites.createdAt}, ${sites.id}) < (${sql.placeholder('createdAt')}, ${id})`,
      ),
    )
    .orderBy(...newestFirst)
    .limit(sql.placeholder('limit'))
    .prepare()
  const visible = orm.select({ total: count() }).from(sites).where(or(isOwn, isShared)).prepare()
  const owned = orm.select({ total: count() }).from(sites).where(isOwn).prepare()
  const one = orm
    .select(SITE)
    .from(sites)
    .where(and(eq(sites.id, id), or(isOwn, isShared)))
    .prepare()
  const own = orm
    .select(SEALED)
    .from(sites)
    .where(and(isOwn, isInForce))
    .orderBy(...newestFirst)
    .prepare()
  const sharedByOthers = orm
    .select(SEALED)
    .from(sites)
    .where(and(isShared, ne(sites.userId, userId), isInForce))
    .orderBy(...newestFirst)
    .prepare()

  return {
    /** Adds a site and returns true, unless its owner already has `maxSites`. */
    addWithin(maxSites: number, site: SealedSite): boolean {
      return db.durably((tx) => {
        if ((owned.get({ userId: site.userId })?.total ?? 0) >= maxSites) return false
        tx.insert(sites).values(site).run()
        return true
      })
    },
    /** What a user may see after a place in the list, newest first: own sites and those that others share. */
    page: (user: string, after: ListPlace, limit: number): Site[] =>
      page.all({ userId: user, ...after, limit }),
    countVisible: (user: string): number => visible.get({ userId: user })?.total ?? 0,
    /** Null when the user may not see such a site. */
    find: (user: string, siteId: string): Site | null => one.get({ userId: user, id: siteId }) ?? null,
    /** A user's sites that have not expired, newest first. */
    inForceOf: (user: string, now: number): SealedSite[] => own.all({ userId: user, now }),
    /** Those that others share. */
    sharedWith: (user: string, now: number): SealedSite[] => sharedByOthers.all({ userId: user, now }),
    /** False when the user has no such site. Something must change. */
    change(user: string, siteId: string, changes: Partial<SealedSite>): boolean {
      return db.durably((tx) => {
        const where = and(eq(sites.id, siteId), eq(sites.userId, user))
        return tx.update(sites).set(changes).where(where).returning({ id: sites.id }).get() !== undefined
      })
    },
    /** False when the user has no such site. */
    remove(user: string, siteId: string): boolean {
      return db.durably((tx) => {
        const where = and(eq(sites.id, siteId), eq(sites.userId, user))
        return tx.delete(sites).where(where).returning({ id: sites.id }).get() !== undefined
      })
    },
    /** Records a use of a site, which may have been deleted meanwhile. A missing `refusedAt` stays as it is. */
    recordUse(siteId: string, use: Partial<Pick<Site, 'lastUsedAt' | 'refusedAt'>>): void {
      db.transaction((tx) => tx.update(sites).set(use).where(eq(sites.id, siteId)).run())
    },
  }
}

const SITE = {
  id: sites.id,
  userId: sites.userId,
  name: sites.name,
  origin: sites.origin,
  includeSubdomains: sites.includeSubdomains,
  headerNames: sites.headerNames,
  isShared: sites.isShared,
  createdAt: sites.createdAt,
  expiresAt: sites.expiresAt,
  lastUsedAt: sites.lastUsedAt,
  refusedAt: sites.refusedAt,
}
const SEALED = { ...SITE, sealed: sites.sealed }
