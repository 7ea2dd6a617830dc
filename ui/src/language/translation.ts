import type { accountCopy } from './english/account.ts'
import type { addToBrowserCopy } from './english/add-to-browser.ts'
import type { apiCopy } from './english/api.ts'
import type { archiveListCopy } from './english/archive-list.ts'
import type { archivePageCopy } from './english/archive-page.ts'
import type { baseCopy } from './english/base.ts'
import type { changesCopy } from './english/changes.ts'
import type { checkZipCopy } from './english/check-zip.ts'
import type { commandPaletteCopy } from './english/command-palette.ts'
import type { controlsCopy } from './english/controls.ts'
import type { entriesCopy } from './english/entries.ts'
import type { keysCopy } from './english/keys.ts'
import type { newArchiveCopy } from './english/new-archive.ts'
import type { notificationsCopy } from './english/notifications.ts'
import type { previewCopy } from './english/preview.ts'
import type { repeatCopy } from './english/repeat.ts'
import type { repeatDialogCopy } from './english/repeat-dialog.ts'
import type { schedulesCopy } from './english/schedules.ts'
import type { serviceCopy } from './english/service.ts'
import type { serviceWordsCopy } from './english/service-words.ts'
import type { settingsCopy } from './english/settings.ts'
import type { sharePageCopy } from './english/share-page.ts'
import type { sharingCopy } from './english/sharing.ts'
import type { shellCopy } from './english/shell.ts'
import type { signInCopy } from './english/sign-in.ts'
import type { sitesCopy } from './english/sites.ts'
import type { usersCopy } from './english/users.ts'

/** What a translation exports: the lines of each catalogue, with the same names, values and forms of sentences. */
export interface Translation {
  readonly accountCopy: typeof accountCopy
  readonly addToBrowserCopy: typeof addToBrowserCopy
  readonly apiCopy: typeof apiCopy
  readonly archiveListCopy: typeof archiveListCopy
  readonly archivePageCopy: typeof archivePageCopy
  readonly baseCopy: typeof baseCopy
  readonly changesCopy: typeof changesCopy
  readonly checkZipCopy: typeof checkZipCopy
  readonly commandPaletteCopy: typeof commandPaletteCopy
  readonly controlsCopy: typeof controlsCopy
  readonly entriesCopy: typeof entriesCopy
  readonly keysCopy: typeof keysCopy
  readonly newArchiveCopy: typeof newArchiveCopy
  readonly notificationsCopy: typeof notificationsCopy
  readonly previewCopy: typeof previewCopy
  readonly repeatCopy: typeof repeatCopy
  readonly repeatDialogCopy: typeof repeatDialogCopy
  readonly schedulesCopy: typeof schedulesCopy
  readonly serviceCopy: typeof serviceCopy
  readonly serviceWordsCopy: typeof serviceWordsCopy
  readonly settingsCopy: typeof settingsCopy
  readonly sharePageCopy: typeof sharePageCopy
  readonly sharingCopy: typeof sharingCopy
  readonly shellCopy: typeof shellCopy
  readonly signInCopy: typeof signInCopy
  readonly sitesCopy: typeof sitesCopy
  readonly usersCopy: typeof usersCopy
}
