import { catalogue } from '../catalogue.ts'

export const previewCopy = catalogue('previewCopy', {
  previous: 'Previous file',
  next: 'Next file',
  download: (name: string) => `Download ${name}`,
  /** "2 of 14". */
  position: (number: string, count: string) => `${number} of ${count}`,
  notShown: 'This file can’t be shown here. Download it to open it.',
  text: 'Text of the file',
  textIsCut: 'This is the beginning. Download the file to see the rest.',
  pages: 'Pages of the file',
  page: (number: string) => `Page ${number}`,
  pagesAreCut: (shown: string, count: string) =>
    `These are the first ${shown} of ${count} pages. Download the file to see the rest.`,
})
