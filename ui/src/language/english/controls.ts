import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

/** What belongs to no feature, and is not shown to receivers: dialogs and other controls. */
export const controlsCopy = catalogue('controlsCopy', {
  cancel: 'Cancel',
  done: 'Done',
  save: 'Save',
  saving: 'Saving…',
  goHome: 'Go home',
  ownerOnly: 'Only the owner can see this',
  ownerOnlyText: 'Sign in as the owner of this Holdall to open it.',
  copyRefused: (keys: string) => `Your browser didn’t allow copying. The text is selected: press ${keys}.`,
  /** Between the keys of a shortcut: "g then a". */
  nextKey: 'then',

  lifetimes: {
    never: 'Never',
    7: 'In 7 days',
    30: 'In 30 days',
    90: 'In 90 days',
    365: 'In 1 year',
    date: 'On a date…',
  },

  kinds: {
    image: 'Image',
    video: 'Video',
    audio: 'Audio file',
    document: 'Document',
    data: 'Data file',
    archive: 'Archive',
    page: 'Web page',
    other: 'File',
  },
  manyKinds: {
    image: 'images',
    video: 'videos',
    audio: 'audio files',
    document: 'documents',
    data: 'data files',
    archive: 'archives',
    page: 'web pages',
    other: 'other files',
  },
  kindsOfFiles: 'Kinds of files',
  kindCounts: {
    image: (count: number) => plural(count, { one: '# image', other: '# images' }),
    video: (count: number) => plural(count, { one: '# video', other: '# videos' }),
    audio: (count: number) => plural(count, { one: '# audio file', other: '# audio files' }),
    document: (count: number) => plural(count, { one: '# document', other: '# documents' }),
    data: (count: number) => plural(count, { one: '# data file', other: '# data files' }),
    archive: (count: number) => plural(count, { one: '# archive', other: '# archives' }),
    page: (count: number) => plural(count, { one: '# web page', other: '# web pages' }),
    other: (count: number) => plural(count, { one: '# file', other: '# other files' }),
  },
})
