import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

export const schedulesCopy = catalogue('schedulesCopy', {
  title: 'Schedules',
  lead: 'Lists that Holdall packs again and again.',
  yours: 'Your schedules',
  none: 'No schedules yet',
  noneText: 'Paste a list, and press Repeat beside Pack. A ready archive has Repeat, too.',
  newArchive: 'New archive',
  removed: 'Removed',

  row: {
    paused: 'Paused',
    next: (time: string) => `next: ${time}`,
    last: (time: string, result: string) => `last: ${time} (${result})`,
  },

  page: {
    title: 'Schedule',
    notFound: 'Schedule not found',
    notFoundText: 'It may have been removed.',
    seeYours: 'See your schedules',
    latest: 'This link always opens the latest complete archive.',
    runs: 'Runs',
    noRuns: 'No runs yet',
    noRunsText: 'The first run starts at its scheduled time. You can also run it now.',
    next: (when: string, time: string) => `${when}, next: ${time}`,
    sends: (headers: string) => `sends ${headers}`,
    keeps: (count: number) => plural(count, { one: 'keeps # archive', other: 'keeps # archives' }),
    links: 'links',
    linksOf: (links: string, url: string) => `${links} of ${url}`,
    linksThatMatch: (links: string, url: string, pattern: string) =>
      `${links} of ${url} that match ${pattern}`,
  },

  run: {
    running: 'Running',
    failed: 'Failed',
    failedBecause: (reason: string) => `Failed: ${reason}`,
    ready: 'Ready',
  },

  menu: {
    actions: (name: string) => `Actions for ${name}`,
    runNow: 'Run now',
    resume: 'Resume',
    pause: 'Pause',
    resumed: 'Resumed',
    paused: 'Paused',
    edit: 'Edit',
    remove: 'Remove',
    editing: 'Edit schedule',
    removing: 'Remove this schedule?',
    busy: 'Removing…',
    removingText:
      'Nothing is packed again, and the link to the latest archive ends. The archives stay until they expire.',
  },
})
