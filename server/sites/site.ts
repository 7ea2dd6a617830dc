import type { Header } from '../fetching/headers/allowed-headers.ts'

/** How the jobs of its owner reach an origin, without the values of its headers. Times are milliseconds since the epoch. */
export interface Site {
  readonly id: string
  readonly userId: string
  /** Null when its owner has given none. */
  readonly name: string | null
  readonly origin: string
  readonly includeSubdomains: boolean
  readonly headerNames: readonly string[]
  /** Whether the jobs of all users have it, too. */
  readonly isShared: boolean
  readonly createdAt: number
  /** Null: never. */
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  /** When a source last refused it; null since a later job was not refused. */
  readonly refusedAt: number | null
}

/** A validated request for a site. */
export interface NewSite
  extends Pick<Site, 'name' | 'includeSubdomains' | 'isShared' | 'expiresAt' | 'origin'> {
  readonly headers: readonly Header[]
}

/** What changes of a site. What is undefined stays. */
export type SiteChanges = Partial<NewSite>

/** Headers of one job for an origin. */
export type JobHeaders = Pick<NewSite, 'origin' | 'includeSubdomains' | 'headers'>

/** The host of an origin, with its port unless it is that of the scheme. */
export function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '')
}
