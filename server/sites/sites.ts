import { isOwner, type User } from '../accounts/user.ts'
import { ServiceError } from '../errors.ts'
import type { Header } from '../fetching/headers/allowed-headers.ts'
import { hasSubdomains } from '../fetching/headers/origin-headers.ts'
import { decodeCursor, NEWEST, type PageRequest, pageOf } from '../paging.ts'
import type { Clock } from '../time/clock.ts'
import type { Sealing } from './sealing.ts'
import type { NewSite, Site, SiteChanges } from './site.ts'
import type { SiteStore } from './site-store.ts'

export interface SitesOptions {
  readonly store: SiteStore
  readonly sealing: Sealing
  readonly clock: Clock
}

export interface SitePage {
  readonly sites: readonly Site[]
  readonly total: number
  /** Null at the end of the list. */
  readonly nextCursor: string | null
}

export type Sites = ReturnType<typeof openSites>

/**
 * The operations of a user on sites. Those of other users are `NOT_FOUND`, as if they did not exist; those that others share are seen,
 * and changing them is `FORBIDDEN`.
 */
export function openSites({ store, sealing, clock }: SitesOptions) {
  function owned(user: User, siteId: string): Site {
    const site = store.find(user.id, siteId)
    if (site === null) throw siteNotFound()
    if (site.userId !== user.id)
      throw new ServiceError('FORBIDDEN', 'Only the owner of this service may change a site that is shared.')
    return site
  }

  return {
    /** `FORBIDDEN` when somebody else than the owner shares it, `PLAN_LIMIT_EXCEEDED` when the user has too many sites. */
    create(user: User, { headers, ...wanted }: NewSite): Site {
      const createdAt = clock()
      if (wanted.isShared) assertMayShare(user)
      assertInFuture(wanted.expiresAt, createdAt)
      assertSubdomains(wanted)
      const site = {
        ...wanted,
        id: Bun.randomUUIDv7(),
        userId: user.id,
        headerNames: namesOf(headers),
        createdAt,
        lastUsedAt: null,
        refusedAt: null,
      }
      const sealed = sealing.seal(JSON.stringify(headers), contextOf(site))
      if (!store.addWithin(MAX_SITES, { ...site, sealed })) throw tooManySites()
      return site
    },

    /** A page of the sites that the user may see, newest first. */
    list(user: User, { cursor, limit }: PageRequest): SitePage {
      const list = `sites of ${user.id}`
      const after = cursor === null ? NEWEST : decodeCursor(list, cursor)
      const { items, nextCursor } = pageOf(list, store.page(user.id, after, limit + 1), limit)
      return { sites: items, total: store.countVisible(user.id), nextCursor }
    },

    /** `INVALID_REQUEST` when what changes sends the headers elsewhere, and they are not given anew. */
    change(user: User, siteId: string, { headers, ...changes }: SiteChanges): Site {
      const site = owned(user, siteId)
      if (changes.isShared === true) assertMayShare(user)
      if (changes.expiresAt !== undefined) assertInFuture(changes.expiresAt, clock())
      assertSubdomains({ ...site, ...changes })
      if (headers === undefined) assertSameReach(site, changes)
      const given =
        headers === undefined
          ? {}
          : {
              headerNames: namesOf(headers),
              sealed: sealing.seal(JSON.stringify(headers), contextOf({ ...site, ...changes })),
              refusedAt: null,
            }
      const changed = { ...changes, ...given }
      if (Object.keys(changed).length > 0 && !store.change(user.id, siteId, changed)) throw siteNotFound()
      return owned(user, siteId)
    },

    remove(user: User, siteId: string): void {
      owned(user, siteId)
      if (!store.remove(user.id, siteId)) throw siteNotFound()
    },
  }
}

/** What sealed headers belong to: a row whose origin somebody changes in the database has none. */
export function contextOf({ id, origin }: Pick<Site, 'id' | 'origin'>): string {
  return `site ${id} ${origin}`
}

function namesOf(headers: readonly Header[]): string[] {
  return headers.map(({ name }) => name)
}

function assertMayShare(user: User): void {
  if (!isOwner(user))
    throw new ServiceError('FORBIDDEN', 'Only the owner of this service may share a site with all users.')
}

function assertInFuture(expiresAt: number | null, now: number): void {
  if (expiresAt !== null && expiresAt <= now)
    throw invalid('expires_at', 'must be in the future', 'expires_at must be in the future.')
}

function assertSubdomains({ origin, includeSubdomains }: Pick<Site, 'origin' | 'includeSubdomains'>): void {
  if (includeSubdomains && !hasSubdomains(origin)) {
    throw invalid(
      'include_subdomains',
      'must be false for an address, or a name without a dot',
      'An address has no subdomains, and those of a name without a dot belong to others.',
    )
  }
}

/** Otherwise, somebody with a stolen key could have the values sent to a host of theirs. */
function assertSameReach(site: Site, changes: SiteChanges): void {
  const isWider =
    (changes.origin ?? site.origin) !== site.origin ||
    (changes.includeSubdomains === true && !site.includeSubdomains) ||
    (changes.isShared === true && !site.isShared)
  if (isWider) {
    throw invalid(
      'headers',
      'must be given anew with another origin, with include_subdomains, or when the site is shared',
      'Enter the headers again: this change sends them elsewhere.',
    )
  }
}

function invalid(path: string, issue: string, message: string): ServiceError {
  return new ServiceError('INVALID_REQUEST', message, [{ path, message: issue }])
}

function siteNotFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such site.')
}

function tooManySites(): ServiceError {
  return new ServiceError(
    'PLAN_LIMIT_EXCEEDED',
    `On every plan, a user may have ${MAX_SITES} sites, and you have that many. Delete one that you no longer use.`,
  )
}

/** With 16 KiB of headers each, a job's thread is sent 1.6 MB at most, and as much of the owner's shared ones. */
const MAX_SITES = 100
