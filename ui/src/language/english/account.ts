import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

export const accountCopy = catalogue('accountCopy', {
  title: 'Account',
  lead: (name: string, plan: string) => `${name}, on the ${plan} plan`,

  usage: {
    noLimit: 'used (no limit)',
    quota: (gbDays: string) => `of ${gbDays}`,
    meter: 'Storage this month',
    meterText: (percent: string, quota: string) => `${percent} of ${quota}`,
    help: 'One gigabyte stored for one day is one GB-day. The count resets on the 1st (UTC).',
    usedUp:
      'You’ve used this month’s storage. You can create archives again next month. Deleting archives stops them counting.',
  },

  limits: {
    title: (plan: string) => `${plan} plan limits`,
    links: 'Links per archive',
    size: 'Archive size',
    retention: 'Retention',
    retentionRange: (shortest: string, longest: string) => `${shortest} to ${longest}`,
    storage: 'Storage per month',
    noLimit: 'No limit',
  },

  storage: {
    title: 'Storage use',
    none: 'No stored archives. Archives use space until they expire or are deleted.',
    total: (size: string, count: number, gbDays: string) =>
      plural(count, {
        one: `${size} in # archive. They add ${gbDays} per day.`,
        other: `${size} in # archives. They add ${gbDays} per day.`,
      }),
    uncounted: (count: number) =>
      plural(count, {
        one: 'The oldest # is not counted here.',
        other: 'The oldest # are not counted here.',
      }),
    share: (name: string) => `Share of ${name}`,
    shareText: (size: string, total: string) => `${size} of ${total}`,
    keptBySchedule: 'Kept by its schedule',
    notReady: 'Not ready yet',
    kept: (time: string) => `Kept until ${time}`,
    keptForRetry: (time: string) => `Kept for retry until ${time}`,
  },
})
