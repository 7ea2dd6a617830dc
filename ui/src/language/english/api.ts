import { catalogue } from '../catalogue.ts'

export const apiCopy = catalogue('apiCopy', {
  /**
   * An error of the service, whose own sentence is in English. A translation has another one for a code that says enough; without,
   * the sentence stays as it is.
   */
  error: (_code: string, english: string) => english,
  /** The sentence of the service names a field as programs do. A translation has only what is wrong with it. */
  notAccepted: (english: string, _problem: string) => english,
  notAKey: 'This is not an API key.',
  unreachable: 'Holdall can’t be reached. Is it still running?',
  unreadable: (status: number) => `Unexpected response from Holdall (HTTP ${status}).`,
})
