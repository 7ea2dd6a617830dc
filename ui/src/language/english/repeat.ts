import { catalogue } from '../catalogue.ts'

/** How often a list is packed again: in the menu of that, and as sentences about schedules. */
export const repeatCopy = catalogue('repeatCopy', {
  repeat: 'Repeat',
  everyHour: 'Every hour',
  everyDay: 'Every day',
  everyWeek: 'Every week',
  everyMonth: 'Every month',
  custom: 'Custom…',
  page: (host: string) => `Links on ${host}, read anew each time…`,

  recurrence: {
    hour: (minute: string) => `Every hour at :${minute}`,
    day: (time: string) => `Every day at ${time}`,
    week: (weekday: string, time: string) => `Every ${weekday} at ${time}`,
    month: (day: number, time: string) => `Every month on the ${ordinal(day)} at ${time}`,
    lastDay: (time: string) => `Every month on the last day at ${time}`,
    cron: (cron: string) => `By ${cron}`,
  },
})

/** "1st", "22nd". */
function ordinal(day: number): string {
  const ending = ORDINALS[new Intl.PluralRules('en', { type: 'ordinal' }).select(day)] ?? 'th'
  return `${day}${ending}`
}

const ORDINALS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }
