import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

export const archivePageCopy = catalogue('archivePageCopy', {
  title: 'Archive',
  notFound: 'Archive not found',
  notFoundText: 'It may have been deleted, or may belong to another user.',
  seeArchives: 'See your archives',
  /** For screen readers, when it changes. */
  state: (name: string, state: string) => `${name}: ${state}`,
  done: (percent: string) => `${percent} done`,

  lead: {
    active: 'You can close this page. Holdall keeps working.',
    deleted: 'The fetched files have been deleted.',
    kept: (count: number, duration: string) =>
      plural(count, { one: `# file kept for ${duration}`, other: `# files kept for ${duration}` }),
    expired: 'The links are kept.',
  },

  progress: {
    title: 'Progress',
    of: (files: string) => `of ${files}`,
    value: (percent: string, count: string, files: string) => `${percent}, ${count} of ${files}`,
    waiting: 'Waiting to start',
    left: (duration: string) => `about ${duration} left`,
    failed: (count: number) => plural(count, { one: '# link failed', other: '# links failed' }),
    lastFiles: (count: number, name: string, arrived: string) =>
      plural(count, { one: `# file left: ${name}, ${arrived}`, other: `# files left: ${name}, ${arrived}` }),
    soFar: (size: string) => `${size} so far`,
    cancel: 'Cancel',
    packing: 'Packing…',
  },

  ready: {
    title: 'Ready to download',
    leftOut: (count: string) => `${count} left out`,
    toCheck: (count: string) => `${count} to check`,
    keptBySchedule: 'Kept until its schedule has newer ones',
    expires: (duration: string) => `Expires in ${duration}`,
    keepLonger: 'Keep longer',
    download: 'Download',
    shortcut: 'Download archive',
    rename: 'Rename',
    /** For screen readers, after the name of the archive. */
    renameSuffix: ', rename',
    name: 'Archive name',
  },

  expired: {
    title: 'Archive expired',
    text: (time: string) => `The file was deleted ${time}.`,
    reuse: 'Reuse these links',
  },

  stopped: {
    cancelled: 'Cancelled',
    failed: 'Archive failed',
    fetched: (count: string, files: string) => `${count} of ${files} fetched before cancelling.`,
    fix: 'Fix the links in the list.',
    fixOrContinue: 'Fix the links in the list, or continue without them.',
    skip: 'Skip failed links',
    continue: 'Continue',
    continueWith: (count: number) =>
      plural(count, { one: 'Continue with # fixed link', other: 'Continue with # fixed links' }),
    leaveOut: (count: number) => plural(count, { other: 'Continue and leave out the other #' }),
    tryAgain: 'Try again',
    startOver: 'Start over',
  },

  versions: {
    replaced: 'A newer version has replaced this archive. The share link opens {newer}.',
    newer: 'the newer version',
    earlier: 'Earlier versions',
    expired: 'expired',
  },

  details: {
    links: 'Links',
    created: 'Created',
    ready: 'Ready',
    after: (duration: string) => `after ${duration}`,
    afterInstant: 'after less than a second',
    base: 'Made from',
    earlierArchive: 'An earlier archive',
    copied: (count: number) => plural(count, { one: '# file copied', other: '# files copied' }),
    onFailure: 'If a link fails',
    stop: 'Stop',
    skip: 'Skip it',
    forPrograms: 'For programs',
  },

  schedule: {
    title: 'Schedule',
    next: (time: string) => `next: ${time}`,
    earlier: (time: string) => `Earlier: ${time}`,
    later: (time: string) => `Later: ${time}`,
    repeat: 'Repeat',
    see: 'See schedule',
  },

  files: {
    title: 'Files',
    table: 'Table of files',
    copyErrors: 'Copy all errors',
    blocked:
      'Holdall blocks private networks, and {host} is in one. An administrator can allow it: start Holdall with {option}, or set {variable}.',
    thenRetry: 'Then try again.',
    exampleNetwork: 'with its network, such as 192.168.1.0/24',
    filter: 'Filter files',
    show: 'Show',
    all: 'All',
    changed: 'What changed',
    number: 'No.',
    file: 'File',
    size: 'Size',
    status: 'Status',
    changes: {
      added: 'New',
      changed: 'Changed',
      unchanged: 'Unchanged',
      kept: 'Kept',
      gone: 'Gone',
    },
    none: {
      all: '0 files',
      changed: 'Nothing has changed.',
      waiting: 'No waiting files.',
      fetching: 'No fetching files.',
      stored: 'No done files.',
      check: 'No files to check.',
      failed: 'No failed links.',
    },
  },

  row: {
    openLink: (name: string) => `Open the link of ${name}`,
    open: 'Open',
    retry: 'Retry',
    retryFile: (name: string) => `Retry ${name}`,
    leaveOut: 'Leave out',
    leaveOutFile: (name: string) => `Leave out ${name}`,
    edit: 'Edit',
    editFile: (name: string) => `Edit ${name}`,
    replace: 'Replace',
    replaceFile: (name: string) => `Replace ${name}`,
    willBeFetched: 'Will be fetched again',
    willBeLeftOut: 'Will be left out',
    url: (number: string) => `URL of link ${number}`,
    isEmpty: 'Enter a link, or leave it out',
    /** What the service finds wrong with it, in its words. */
    isRejected: (problem: string) => `This link ${problem}`,
  },

  fixing: {
    fix: (count: number) => plural(count, { one: 'Fix # link', other: 'Fix # links' }),
    hint: 'Failed and changed links are fetched; all other files are copied. The share link stays the same.',
    cancel: 'Cancel',
    discard: 'Discard changes',
    packAgain: 'Pack again',
    continue: 'Continue',
    fixed: (count: number) => plural(count, { one: '# link fixed', other: '# links fixed' }),
    toRetry: (count: string) => `${count} to retry`,
    leftOut: (count: string) => `${count} left out`,
    nothing: 'No links fixed yet',
  },

  refreshing: {
    title: 'Refresh this archive?',
    action: 'Refresh',
    busy: 'Refreshing…',
    text: 'Packs the same links again. Files that have changed are fetched; all others are copied. The share link then opens the new archive. This version is kept until it expires.',
  },

  bulk: {
    title: 'Fix several at once',
    modes: 'How to fix them',
    replaceText: 'Replace text',
    pasteColumn: 'Paste a column',
    column: 'New links, one per line, in the order of the failed links',
    find: 'Find',
    replaceWith: 'Replace with',
    notFound: 'No failed link contains this text.',
    changed: (count: number) => plural(count, { one: '# link changed', other: '# links changed' }),
    change: (count: number) => plural(count, { one: 'Change # link', other: 'Change # links' }),
    changeNone: 'Change links',
    lines: (count: number) => plural(count, { one: '# line', other: '# lines' }),
    failedLinks: (count: number) => plural(count, { one: '# failed link', other: '# failed links' }),
    linesFor: (lines: string, links: string) => `${lines} for ${links}.`,
    linesLeft: (lines: string, links: string) => `${lines} for ${links}. Lines left over are ignored.`,
    linksLeft: (lines: string, links: string) => `${lines} for ${links}. Links left over stay as they are.`,
    preview: 'Preview',
    willChange: (count: number) =>
      plural(count, { one: '# link will change.', other: '# links will change.' }),
    cannotBeUsed: (count: number) =>
      plural(count, { one: '# new link can’t be used.', other: '# new links can’t be used.' }),
    more: (count: string) => `${count} more`,
  },
})
