import type { Cookie } from '../../fetching/headers/cookies.ts'
import type { LoginOutcome, OriginRules, SavedLogin } from '../../fetching/headers/origin-headers.ts'
import type { WarningCode } from '../../vocabulary.ts'
import type { NetworkPolicy, Sources } from '../job-order.ts'
import type { LinkFilter, PageLink } from './link-list.ts'
import type { PageType } from './page.ts'

/** A look at sources that packs nothing: at the links of a page, or at what each of many URLs would bring. */
export type InspectionOrder = PageOrder | ProbeOrder

interface InspectionBase {
  /** When connections are scarce, each group gets the same share. A group is all jobs and inspections of one user. */
  readonly group: string
  readonly network: NetworkPolicy
  /** What each origin gets from the user: logins that are saved. */
  readonly originRules: OriginRules
  /** Those that the command line reads; sent by their own rules. */
  readonly cookies: readonly Cookie[]
}

export interface PageOrder extends InspectionBase {
  readonly kind: 'page'
  readonly url: string
  /** Whether the folders of a listing, and the sitemaps of an index, are read, too. */
  readonly readsFolders: boolean
  /** Which links are told; null tells all. */
  readonly only: LinkFilter | null
}

export interface ProbeOrder extends InspectionBase {
  readonly kind: 'probe'
  /** They may be 40 MB, so a thread reads each when it is about to ask for it. */
  readonly sources: Sources
}

/** What a page is, beside its links. */
export interface PageSummary {
  /** Its address after redirects. */
  readonly url: string
  readonly type: PageType
  readonly title: string
  /** How many links it has, with those that are not told. */
  readonly total: number
  /** Whether scripts seem to make the page. None was run. */
  readonly needsScript: boolean
  /** The folders that could not be read, or were too many. */
  readonly unreadFolders: readonly string[]
}

/** Has its turn to be in memory, if it is a large one, until it is disposed of. */
export interface InspectedPage extends PageSummary, Disposable {
  readonly links: readonly PageLink[]
}

/** What one URL of a list would bring. The names of its fields are those of the API. */
export interface ProbeResult {
  readonly position: number
  /** HTTP status of the last hop; null without a response. A 206 for a part is told as 200. */
  readonly status: number | null
  /** Bytes of the file; null if the host does not tell. */
  readonly size: number | null
  /** Media type without parameters. */
  readonly type: string | null
  /** The expected name of its entry. */
  readonly name: string
  /** The host that answered, or that of the URL; with its port, unless that is the one of the scheme. */
  readonly host: string
  readonly etag: string | null
  /** As in the errors of a job. */
  readonly error: string | null
  readonly warning: { readonly code: WarningCode; readonly message: string } | null
}

/** How an inspection ended. Its links or results were reported before. */
export type InspectionOutcome =
  | { readonly status: 'done'; readonly page: PageSummary | null }
  | { readonly status: 'not-fetched'; readonly reason: string }
  | { readonly status: 'too-large' }
  | { readonly status: 'stopped' }

/** What the caller of an inspection is told while it runs. */
export interface InspectionRecorder {
  /** The JSON of what was found in UTF-8, again and again: a list of links, or a line per result. */
  found(json: Uint8Array<ArrayBuffer>): void
  /** As `JobRecorder.loginAnswered`. */
  loginAnswered(login: SavedLogin, outcome: LoginOutcome): void
}
