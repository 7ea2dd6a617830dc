import { catalogue } from '../catalogue.ts'

export const commandPaletteCopy = catalogue('commandPaletteCopy', {
  title: 'Search pages, archives and actions',
  placeholder: 'Search pages, archives, actions',
  results: 'Results',
  none: 'Nothing found',

  /** What the palette can do, and below each the words that also find it. */
  schedules: 'Go to Schedules',
  schedulesWords: 'repeat cron every day week month',
  sites: 'Go to Sites',
  sitesWords: 'logins passwords cookies headers tokens',
  notifications: 'Go to Notifications',
  notificationsWords: 'webhooks email mail ntfy messages',
  checkZip: 'Check a ZIP',
  checkZipWords: 'verify damaged checksums',
  addToBrowser: 'Go to Add to browser',
  addToBrowserWords: 'install app bookmarklet share phone',
  users: 'Go to Users',
  service: 'Go to Service',
  serviceWords: 'disk queue version',
  light: 'Use light appearance',
  dark: 'Use dark appearance',
  system: 'Use appearance of the system',
  appearanceWords: 'theme',
  reference: 'Open the documentation',
  referenceWords: 'docs api reference curl python javascript',
  signOut: 'Sign out',
})
