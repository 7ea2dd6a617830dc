import { catalogue } from '../catalogue.ts'

/** A catalogue of its own: the page for receivers shows next to none of these words. */
export const serviceWordsCopy = catalogue('serviceWordsCopy', {
  /** Words of the service, in English. A translation has some of them, as `sentences.ts` says. */
  sentence: (english: string) => english,
})
