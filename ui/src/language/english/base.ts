import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

/** What belongs to no feature, and is also shown to receivers. */
export const baseCopy = catalogue('baseCopy', {
  language: 'Language',
  home: 'Holdall, home',

  links: (count: number) => plural(count, { one: '# link', other: '# links' }),
  files: (count: number) => plural(count, { one: '# file', other: '# files' }),
  archives: (count: number) => plural(count, { one: '# archive', other: '# archives' }),
  duplicates: (count: number) => plural(count, { one: '# duplicate', other: '# duplicates' }),

  /** "71 of 300 MB". */
  partOf: (part: string, whole: string) => `${part} of ${whole}`,
  /** An amount of less than something. */
  under: (amount: string) => `under ${amount}`,
  gbDays: (days: string, isOne: boolean) => `${days} GB-${isOne ? 'day' : 'days'}`,
  justNow: 'just now',
  inUnderAMinute: 'in less than a minute',

  notifications: 'Notifications',
  dismiss: 'Dismiss',
  undo: 'Undo',
  close: 'Close',
  tryAgain: 'Try again',
  reload: 'Reload',
  showMore: 'Show more',
  /** About lists of which one row is in the tab order, for screen readers. */
  rowKeys:
    'Up, Down, Page Up, Page Down, Home and End move between the rows, Tab, Left and Right within a row.',
  copied: 'Copied',
  copyRefused: 'Your browser didn’t allow copying.',
})
