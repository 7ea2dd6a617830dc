import { catalogue } from '../catalogue.ts'

/** What a run of a schedule has changed, compared with the archive before: "3 new, 2 changed, 1 kept from 4 May". */
export const changesCopy = catalogue('changesCopy', {
  added: (count: string) => `${count} new`,
  changed: (count: string) => `${count} changed`,
  kept: (count: string) => `${count} kept`,
  keptFrom: (count: string, day: string) => `${count} kept from ${day}`,
  gone: (count: string) => `${count} gone`,
  nothing: 'Nothing has changed since the previous archive',
})
