import type { JobLogins } from '../../sites/job-login-store.ts'
import { hostOf, type JobHeaders, type NewSite, type Site, type SiteChanges } from '../../sites/site.ts'
import { parseDateTime } from '../../time/date-time.ts'
import { iso, isoOrNull } from '../json.ts'
import type {
  ChangeSiteBody,
  CreateSiteBody,
  JobHeadersBody,
  ListedSiteJson,
  OriginHeaderNamesJson,
  SiteJson,
} from './schemas.ts'

// Maps sites, and the headers of jobs, to the domain and back.

export function toNewSite(body: CreateSiteBody): NewSite {
  return {
    origin: body.origin,
    headers: body.headers,
    name: body.name ?? null,
    includeSubdomains: body.include_subdomains ?? false,
    expiresAt: timeOrNull(body.expires_at),
    isShared: body.shared ?? false,
  }
}

/** Null takes a name and an expiry away. For the other fields it counts as absent. */
export function toSiteChanges(body: ChangeSiteBody): SiteChanges {
  return {
    ...(body.origin != null && { origin: body.origin }),
    ...(body.headers != null && { headers: body.headers }),
    ...(body.name !== undefined && { name: body.name }),
    ...(body.include_subdomains != null && { includeSubdomains: body.include_subdomains }),
    ...(body.expires_at !== undefined && { expiresAt: timeOrNull(body.expires_at) }),
    ...(body.shared != null && { isShared: body.shared }),
  }
}

export function toJobHeaders({ origin, headers, include_subdomains }: JobHeadersBody[number]): JobHeaders {
  return { origin, headers, includeSubdomains: include_subdomains ?? false }
}

export function siteToJson(site: Site): SiteJson {
  return {
    ...sharedToJson(site),
    include_subdomains: site.includeSubdomains,
    header_names: [...site.headerNames],
    created_at: iso(site.createdAt),
    last_used_at: isoOrNull(site.lastUsedAt),
    expires_at: isoOrNull(site.expiresAt),
    refused_at: isoOrNull(site.refusedAt),
  }
}

/** What a user sees of a site in a list: less, if somebody else shares it. */
export function listedSiteToJson(site: Site, userId: string): ListedSiteJson {
  return site.userId === userId ? siteToJson(site) : sharedToJson(site)
}

export function headerNamesToJson({
  origin,
  headerNames,
}: JobLogins['headerNames'][number]): OriginHeaderNamesJson {
  return { origin, header_names: [...headerNames] }
}

function sharedToJson({ id, name, origin, isShared }: Site) {
  return { id, name: name ?? hostOf(origin), origin, shared: isShared }
}

function timeOrNull(text: string | null | undefined): number | null {
  return text == null ? null : parseDateTime(text)
}
