import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

export const checkZipCopy = catalogue('checkZipCopy', {
  title: 'Check a ZIP',
  lead: 'Finds damage and tricks in any ZIP file. It stays on this device.',
  file: 'ZIP file',
  drop: 'Drop a ZIP file',
  dropText: 'Every file in it is read and compared with its checksums.',
  choose: 'Choose a file',
  chooseAnother: 'Check another file',
  checking: 'Checking',
  stop: 'Stop',
  unreadable: 'The file can’t be read. It may have been moved or changed.',

  allRight: (name: string) => `${name} is all right`,
  hasProblems: (name: string, count: number) =>
    `${name} has ${plural(count, { one: '# problem', other: '# problems' })}`,
  unpacked: (size: string) => `${size} unpacked`,
  compared: (count: number, list: string) =>
    `${plural(count, { one: '# file', other: '# files' })} compared with ${list}`,
  problems: (count: number) => plural(count, { one: '# problem', other: '# problems' }),
  worthKnowing: 'Worth knowing',
  /** What the check has found, by its code and in its own words. */
  finding: (_code: string, english: string) => english,
  more: (count: number) => plural(count, { other: 'And # more.' }),
})
