import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

export const sharePageCopy = catalogue('sharePageCopy', {
  title: 'Shared archive',
  notLoaded: 'Couldn’t load this page',
  notLoadedText: 'Holdall may have stopped or been updated.',
  archiveNotLoaded: 'Couldn’t load this archive',
  checkZip: 'Check a ZIP',
  isReady: 'The archive is ready',

  expired: {
    title: 'This link has expired',
    text: 'The archive is no longer kept. Ask the person who sent you the link for a new one.',
  },
  invalid: {
    title: 'This link doesn’t work',
    text: 'Check that you opened the whole link, or ask the person who sent it for a new one.',
  },
  failed: {
    title: 'This archive couldn’t be packed',
    text: 'Ask the person who sent you the link. If they try again, it appears here.',
  },

  soFar: (size: string) => `${size} so far`,
  until: (time: string) => `until ${time}`,
  download: 'Download',
  downloadAll: 'Download all',
  progress: 'Progress',
  waiting: 'Waiting to start · You can start the download now; the files follow as they are packed.',
  packing: (percent: string) => `${percent} packed · You can download what is ready now; the rest follows.`,
  missing: (count: number) =>
    plural(count, {
      one: '# file is missing: it couldn’t be fetched',
      other: '# files are missing: they couldn’t be fetched',
    }),

  files: 'Files',
  select: 'Select',
  wrong: (count: number) =>
    plural(count, {
      one: '# file may not be what its name says',
      other: '# files may not be what their names say',
    }),
  isEmpty: 'Empty',
  isPage: 'Web page',
  downloadFile: (name: string) => `Download ${name}`,
  folder: (path: string) => `Folder ${path}`,
  downloadFolder: (name: string) => `Download folder ${name}`,

  selectFiles: 'Select files or folders',
  tooMany: 'Too many single files for one ZIP. Select fewer, or whole folders.',
  cancel: 'Cancel',
  downloadZip: 'Download as ZIP',

  earlier: 'Earlier archives',
})
