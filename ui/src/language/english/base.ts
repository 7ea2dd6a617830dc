import { catalogue } from '../catalogue.ts'

export const baseCopy = catalogue('baseCopy', {
  language: 'Language',

  /** "71 of 300 MB". */
  partOf: (part: string, whole: string) => `${part} of ${whole}`,
  /** An amount of less than something. */
  under: (amount: string) => `under ${amount}`,
  gbDays: (days: string, isOne: boolean) => `${days} GB-${isOne ? 'day' : 'days'}`,
  justNow: 'just now',
  inUnderAMinute: 'in less than a minute',
})
