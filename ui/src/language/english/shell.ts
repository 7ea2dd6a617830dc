import { catalogue } from '../catalogue.ts'

export const shellCopy = catalogue('shellCopy', {
  skip: 'Skip to main content',
  navigation: 'Main',
  new: 'New',
  archives: 'Archives',
  keys: 'Keys',
  reconnecting: 'Reconnecting to Holdall…',

  notFound: 'Page not found',
  notFoundText: 'The address may be mistyped, or the page may have moved.',
  wentWrong: 'Something went wrong',
  failed: 'Couldn’t load this page',
  failedText: 'Holdall may have stopped or been updated. Your archives are safe.',

  menu: {
    title: 'Account and settings',
    account: 'Account',
    schedules: 'Schedules',
    sites: 'Sites',
    notifications: 'Notifications',
    users: 'Users',
    service: 'Service',
    appearance: 'Appearance',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
    search: 'Search',
    addToBrowser: 'Add to browser',
    checkZip: 'Check a ZIP',
    shortcuts: 'Keyboard shortcuts',
    signOut: 'Sign out',
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    pack: 'Pack new archive',
    singleKeys: 'Single-key shortcuts',
    show: 'Show shortcuts',
    search: 'Search pages, archives and actions',
    newArchive: 'New archive',
    archives: 'Go to Archives',
    keys: 'Go to API keys',
    account: 'Go to Account',
    notLoaded: 'Couldn’t load the shortcuts. Try again in a moment.',
    searchNotLoaded: 'Couldn’t load the search. Try again in a moment.',
  },
})
