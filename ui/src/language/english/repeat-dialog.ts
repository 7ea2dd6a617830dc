import { catalogue } from '../catalogue.ts'

export const repeatDialogCopy = catalogue('repeatDialogCopy', {
  name: 'Name',
  every: 'Every',
  units: {
    hour: 'Hour',
    day: 'Day',
    week: 'Week',
    month: 'Month',
    cron: 'Cron expression',
  },
  onWeekday: 'On',
  onDay: 'On day',
  lastDay: 'Last day of the month',
  cron: 'Cron expression',
  atMinute: 'At the minute of',
  at: 'At',
  keep: 'Archives to keep',
  onGone: 'When a file is gone',
  gone: {
    keep: 'Keep the last good one',
    leave_out: 'Leave it out',
    fail: 'Stop',
  },

  /** What the service finds wrong with a field, in its words: "The cron expression cannot be read." */
  wrong: {
    every: (problem: string) => `The cron expression ${problem}.`,
    name: (problem: string) => `The name ${problem}.`,
    page: (problem: string) => `The address of the page ${problem}.`,
    match: (problem: string) => `The pattern ${problem}.`,
    headers: (problem: string) => `The headers or their address ${problem}.`,
  },

  page: {
    lead: 'Holdall reads the page again for each run and packs the files it links to at that time.',
    url: 'Page with the links',
    kind: 'Links to',
    allFiles: 'all files',
    match: 'Whose address matches (optional)',
  },

  details: {
    reuse: 'Files that have not changed',
    copy: 'Copy from the previous archive',
    fetch: 'Fetch again',
    useLogins: 'Use saved logins',
    useLoginsHelp: 'Pages and files get the logins of your sites.',
    headers: 'Headers of its own',
    noHeaders: 'None',
    sendNone: 'Send none',
    sendOthers: 'Send others',
    headersTo: (names: string, origin: string) => `${names} to ${origin}`,
    sentTo: 'Sent to',
    lines: 'Headers, one per line',
    malformed: 'Write each header as “Name: value”, on a line of its own.',
  },
})
