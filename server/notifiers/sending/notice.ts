import type { JobSnapshot, PausedSchedule, RunChanges } from '../../db/snapshots.ts'
import { parseSourceUrl } from '../../fetching/source-url.ts'
import { KEPT_BY_SCHEDULE } from '../../jobs/job.ts'
import { formatBytes } from '../../text/format-bytes.ts'
import type { NotifierMessage } from '../notifier.ts'

/** What a person is told of a message, in words. */
export interface Notice {
  /** One line. */
  readonly title: string
  /** Sentences, each on a line of its own. */
  readonly lines: readonly string[]
  /** The links that failed, each with its reason. */
  readonly failures: readonly string[]
  readonly link: { readonly text: string; readonly url: string }
  /** Whether somebody should look after it. */
  readonly isTrouble: boolean
}

/** Where the links of a notice lead. */
export interface NoticeLinks {
  /** The page for receivers of the archive; null when there is no archive. */
  readonly share: string | null
  /** The page of the archive in the interface, or the start page when the message is of no job. */
  readonly page: string
}

/** Says in words what a message says in JSON. */
export function noticeOf({ type, snapshot }: NotifierMessage, links: NoticeLinks): Notice {
  if (type === 'ping' || snapshot === null) return testNotice(links)
  if ('reason' in snapshot) return pausedNotice(snapshot, links)
  const name = snapshot.zipFilename
  const shared = { failures: failuresOf(snapshot), isTrouble: snapshot.errorCount > 0 }
  if (type === 'job.failed') {
    const isCancelled = snapshot.failure?.code === 'CANCELLED'
    return {
      ...shared,
      title: `${name} ${isCancelled ? 'was cancelled' : 'could not be packed'}`,
      lines: present([snapshot.failure?.message, failedLinks(snapshot)]),
      link: { text: 'See what happened', url: links.page },
      isTrouble: !isCancelled,
    }
  }
  const missing = snapshot.errorCount === 0 ? '' : `, but ${failedCount(snapshot.errorCount)}`
  return {
    ...shared,
    title: `${name} is ready${missing}`,
    lines: present([
      `${countOf(snapshot.fileCount, 'file')}, ${formatBytes(snapshot.zipBytes)}.`,
      snapshot.changes !== null && changesText(snapshot.changes),
      snapshot.warningCount > 0 && `${countOf(snapshot.warningCount, 'file')} may not be what you expect.`,
      failedLinks(snapshot),
      snapshot.expiresAt !== null &&
        snapshot.expiresAt !== KEPT_BY_SCHEDULE &&
        `Kept until ${formatTime(snapshot.expiresAt)}.`,
    ]),
    link:
      links.share === null
        ? { text: 'See the archive', url: links.page }
        : { text: 'Open the archive', url: links.share },
  }
}

function pausedNotice({ name, reason }: PausedSchedule, { page }: NoticeLinks): Notice {
  return {
    title: `${name} is paused`,
    lines: [reason, 'No further archive is packed until you resume it.'],
    failures: [],
    link: { text: 'See the schedule', url: page },
    isTrouble: true,
  }
}

function testNotice({ page }: NoticeLinks): Notice {
  return {
    title: 'Holdall can reach you here',
    lines: ['This is the test that you asked for. The next message comes with an archive.'],
    failures: [],
    link: { text: 'Open Holdall', url: page },
    isTrouble: false,
  }
}

/** Without user information and queries, which may hold secrets. */
function failuresOf({ errors, errorCount }: JobSnapshot): string[] {
  const shown = errors.slice(0, MAX_FAILURES).map(({ url, error }) => {
    const { host, pathname } = parseSourceUrl(url)
    return `${error}: ${shortened(host + pathname)}`
  })
  const more = errorCount - shown.length
  return more > 0 ? [...shown, `and ${more.toLocaleString('en')} more`] : shown
}

/** "3 new, 2 changed, 1 kept." */
function changesText(changes: RunChanges): string {
  const parts = CHANGES.filter(([change]) => changes[change] > 0).map(
    ([change, word]) => `${changes[change].toLocaleString('en')} ${word}`,
  )
  return parts.length === 0 ? 'Nothing has changed.' : `${parts.join(', ')}.`
}

/** "3 of 10 links failed." */
function failedLinks({ errorCount, urlCount }: JobSnapshot): string | null {
  return errorCount === 0
    ? null
    : `${errorCount.toLocaleString('en')} of ${countOf(urlCount, 'link')} failed.`
}

function failedCount(count: number): string {
  return `${countOf(count, 'link')} failed`
}

function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** In UTC, since the service does not know where its users are: "30 November 2026 at 14:05 UTC". */
function formatTime(at: number): string {
  const date = new Date(at)
  const day = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return `${day} at ${date.toISOString().slice(11, 16)} UTC`
}

function shortened(text: string): string {
  return text.length <= MAX_NAME_CHARACTERS ? text : `${text.slice(0, MAX_NAME_CHARACTERS)}…`
}

function present(lines: readonly (string | null | undefined | false)[]): string[] {
  return lines.filter((line) => typeof line === 'string')
}

const CHANGES = [
  ['added', 'new'],
  ['changed', 'changed'],
  ['kept', 'kept'],
  ['gone', 'gone'],
] as const

/** Enough to see what they have in common. The page of the archive has all. */
const MAX_FAILURES = 10
/** So that a line stays readable. */
const MAX_NAME_CHARACTERS = 160
