import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

export const archiveListCopy = catalogue('archiveListCopy', {
  title: 'Archives',
  newArchive: 'New archive',
  select: 'Select',
  all: 'All',
  filterByStatus: 'Filter by status',
  states: {
    waiting: 'Waiting',
    running: 'Running',
    ready: 'Ready',
    expired: 'Expired',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  /**
   * Why an archive failed, in the words of the interface: what the service calls a URL is a link here. A translation has its own
   * sentence for each code.
   */
  failure: (_code: string, english: string) => english.replace(/\bURL(s?)\b/g, 'link$1'),

  search: 'Search archives',
  searchPlaceholder: 'Name, host or link',
  notFound: 'No archives found',
  notFoundText: (text: string) => `No archive has “${text}” in its name or in one of its links.`,
  clearSearch: 'Clear search',
  none: {
    all: {
      title: 'No archives yet',
      text: 'Paste links, and Holdall packs their files into one ZIP. Archives stay here until they expire.',
    },
    pending: { title: 'No waiting archives', text: 'An archive is queued here while others run.' },
    processing: {
      title: 'No running archives',
      text: 'Follow archives here while they build, or come back later.',
    },
    completed: {
      title: 'No ready archives',
      text: 'Archives that are ready to download appear here until they expire.',
    },
    failed: {
      title: 'No failed archives',
      text: 'Failed archives appear here with the reason. Fetched files are kept for a retry.',
    },
    cancelled: {
      title: 'No cancelled archives',
      text: 'Archives that you cancel appear here. They can be continued.',
    },
  },

  row: {
    leftOut: (count: string) => `${count} left out`,
    toCheck: (count: string) => `${count} to check`,
    packed: (count: string, files: string) => `${count} of ${files}`,
    created: (time: string) => `Created ${time}`,
    expires: (time: string) => `Expires ${time}`,
    download: (name: string) => `Download ${name}`,
  },

  menu: {
    title: (name: string) => `Actions for ${name}`,
    download: 'Download',
    copyCommand: 'Copy curl command',
    commandCopied: 'Command copied',
    continue: 'Continue',
    tryAgain: 'Try again',
    startOver: 'Start over',
    cancel: 'Cancel',
    edit: 'Rename or keep longer',
    delete: 'Delete',
  },
  deleted: (archives: string) => `Deleted ${archives}`,
  cancelled: (name: string) => `Cancelled ${name}`,

  selection: {
    title: 'Selected archives',
    count: (count: number) => plural(count, { one: '# archive selected', other: '# archives selected' }),
    download: 'Download',
    keepLonger: 'Keep longer',
    delete: 'Delete',
    stop: 'Stop selecting',
  },

  edit: {
    title: 'Edit archive',
    fileName: 'File name',
    unchanged: 'As long as before',
  },
  keep: {
    title: (count: number) => plural(count, { one: 'Keep # archive', other: 'Keep # archives' }),
    label: 'Keep',
    days: (count: number) => plural(count, { one: 'For # day from now', other: 'For # days from now' }),
    kept: (archives: string, days: number) =>
      plural(days, { one: `${archives} kept for # day`, other: `${archives} kept for # days` }),
  },

  shortcuts: {
    next: 'Next archive',
    previous: 'Previous archive',
    select: 'Select archive',
  },

  notification: {
    ready: (name: string) => `Ready: ${name}`,
    failed: (name: string) => `Failed: ${name}`,
    offer: 'Holdall can tell you when an archive is ready, even while you are on another page.',
    accept: 'Notify me',
  },
})
