import { loadPages } from './load-pages.ts'
import { request } from './request.ts'
import type { ListedSite, PageMeta, Site, SiteChanges, SiteSettings } from './types.ts'

/** Returns the user's sites, and those that the owner shares, newest first. */
export async function listSites(signal: AbortSignal): Promise<ListedSite[]> {
  const { items } = await loadPages(
    { path: '/sites', itemsOf: (page: { sites: ListedSite[]; meta: PageMeta }) => page.sites },
    signal,
  )
  return items
}

/** Saves a login. No response contains the values of its headers. */
export async function createSite(body: SiteSettings): Promise<Site> {
  const { site } = await request<{ site: Site }>('POST', '/sites', { body })
  return site
}

export async function changeSite(id: string, body: SiteChanges): Promise<Site> {
  const { site } = await request<{ site: Site }>('PATCH', sitePath(id), { body })
  return site
}

export async function deleteSite(id: string): Promise<void> {
  await request('DELETE', sitePath(id))
}

/** Whether a site is the user's own, and not one that the owner shares. */
export function isOwn(site: ListedSite): site is Site {
  return 'header_names' in site
}

function sitePath(id: string): string {
  return `/sites/${encodeURIComponent(id)}`
}
