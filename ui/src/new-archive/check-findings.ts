import type { ProbeResult } from '../api/types.ts'
import type { Message } from '../base/message.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import { errorMessage } from '../map/error-text.ts'
import { warningText } from '../map/warning-text.ts'
import type { DraftLink } from './draft-links.ts'

export type CheckResults = ReadonlyMap<DraftLink, ProbeResult>

/** Links that somebody may want to remove, for one reason. */
export interface CheckFinding {
  readonly kind: 'failed' | 'page' | 'empty' | 'duplicate'
  readonly links: readonly { readonly link: DraftLink; readonly reason: Message }[]
}

export interface CheckFindings {
  readonly checkedCount: number
  /** Of the links that tell their size. */
  readonly totalBytes: number
  readonly unknownSizeCount: number
  /** Only those with links. */
  readonly findings: readonly CheckFinding[]
}

/** What a check has found about the links that are in the draft now. */
export function findingsOf(
  links: readonly DraftLink[],
  results: CheckResults,
  duplicates: ReadonlySet<DraftLink>,
): CheckFindings {
  const byKind = new Map<CheckFinding['kind'], { link: DraftLink; reason: Message }[]>()
  const add = (kind: CheckFinding['kind'], link: DraftLink, reason: Message) => {
    const known = byKind.get(kind)
    if (known === undefined) byKind.set(kind, [{ link, reason }])
    else known.push({ link, reason })
  }
  const tags = new Set<string>()
  let checkedCount = 0
  let totalBytes = 0
  let unknownSizeCount = 0
  for (const link of links) {
    const result = results.get(link)
    if (result === undefined) continue
    checkedCount++
    if (result.error !== null) {
      add('failed', link, errorMessage(result.error))
      continue
    }
    totalBytes += result.size ?? 0
    if (result.size === null) unknownSizeCount++
    if (result.warning !== null)
      add(result.warning.code === 'EMPTY' ? 'empty' : 'page', link, warningText(result.warning))
    else if (duplicates.has(link)) add('duplicate', link, newArchiveCopy.check.sameLink)
    else if (isRepeated(result, tags)) add('duplicate', link, newArchiveCopy.check.sameFile)
  }
  const findings = KINDS.flatMap((kind) => {
    const found = byKind.get(kind)
    return found === undefined ? [] : [{ kind, links: found }]
  })
  return { checkedCount, totalBytes, unknownSizeCount, findings }
}

/** The origins of links that want a login: they refused, or answered with a sign-in page. */
export function originsBehindLogin(links: readonly DraftLink[], results: CheckResults): string[] {
  const origins = new Set<string>()
  for (const link of links) {
    const { error = null, warning = null } = results.get(link) ?? {}
    const isRefused = error === 'HTTP 401' || error === 'HTTP 403' || warning?.code === 'LOGIN_REFUSED'
    const isSignInPage = warning?.code === 'HTML_INSTEAD' && warning.message.includes('sign-in page')
    const url = isRefused || isSignInPage ? URL.parse(link.url) : null
    if (url !== null) origins.add(url.origin)
  }
  return [...origins]
}

/** Whether an earlier link has the same tag, size and host. A weak tag (`W/`) doesn't promise the same bytes. */
function isRepeated({ etag, size, host }: ProbeResult, tags: Set<string>): boolean {
  if (etag === null || etag.startsWith('W/')) return false
  const key = JSON.stringify([host, etag, size])
  if (tags.has(key)) return true
  tags.add(key)
  return false
}

const KINDS = ['failed', 'page', 'empty', 'duplicate'] as const
