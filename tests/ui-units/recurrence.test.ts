import { describe, expect, test } from 'bun:test'
import { cronOf, draftAt, draftOf, recurrenceText } from '../../ui/src/repeat/recurrence.ts'

const NOW = new Date(2026, 10, 30, 6, 5)

describe('A recurrence', () => {
  test.each([
    ['15 * * * *', 'Every hour at :15'],
    ['5 6 * * *', 'Every day at 06:05'],
    ['0 6 * * 1', 'Every Monday at 06:00'],
    ['0 6 * * 7', 'Every Sunday at 06:00'],
    ['0 18 22 * *', 'Every month on the 22nd at 18:00'],
    ['0 18 L * *', 'Every month on the last day at 18:00'],
    ['0 6 * * 1-5', 'By 0 6 * * 1-5'],
    ['*/5 * * * *', 'By */5 * * * *'],
    ['0 6 1 * 1', 'By 0 6 1 * 1'],
    ['0 * 1 * *', 'By 0 * 1 * *'],
  ])('%s reads as a person says it: %s', (cron, text) => {
    expect(recurrenceText(cron)).toBe(text)
  })

  test.each(['15 * * * *', '5 6 * * *', '0 6 * * 1', '0 18 22 * *', '0 18 L * *', '0 6 * * 1-5'])(
    '%s stays what it is when a dialog opens and saves it',
    (cron) => {
      expect(cronOf(draftOf(cron, NOW))).toBe(cron)
    },
  )

  test('begins as the same weekday and time, or the last day of a month', () => {
    expect(recurrenceText(cronOf(draftAt(NOW)))).toBe('Every Monday at 06:05')
    expect(recurrenceText(cronOf({ ...draftAt(NOW), unit: 'month' }))).toBe(
      'Every month on the last day at 06:05',
    )
  })
})
