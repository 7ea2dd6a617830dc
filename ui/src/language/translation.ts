import type { baseCopy } from './english/base.ts'
import type { keysCopy } from './english/keys.ts'
import type { settingsCopy } from './english/settings.ts'

/** What a translation exports: the lines of each catalogue, with the same names, values and forms of sentences. */
export interface Translation {
  readonly baseCopy: typeof baseCopy
  readonly keysCopy: typeof keysCopy
  readonly settingsCopy: typeof settingsCopy
}
