import { catalogue } from '../catalogue.ts'

export const sitesCopy = catalogue('sitesCopy', {
  title: 'Sites',
  lead: 'Save the login for a source that needs one. Your archives use it there, and nowhere else.',
  add: 'Add site',
  saved: 'Saved logins',
  none: 'No sites yet',
  noneText: 'Add one for files behind a password, a token or a cookie. What you save is never shown again.',
  howItWorks: 'How it works',
  siteSaved: (name: string) => `${name} saved`,
  siteDeleted: (name: string) => `${name} deleted`,

  deleting: {
    title: (name: string) => `Delete ${name}?`,
    action: 'Delete site',
    busy: 'Deleting…',
    shared: 'The archives of all users will reach it without a login. This can’t be undone.',
    own: 'Your archives will reach it without a login. This can’t be undone.',
  },

  row: {
    shared: 'Shared',
    sharedWithYou: 'Shared with you',
    refused: (ago: string) => `Login refused ${ago}`,
    expired: (ago: string) => `Expired ${ago}`,
    expires: (inTime: string) => `Expires ${inTime}`,
    reach: (origin: string) => `For ${origin}`,
    reachWithSubdomains: (origin: string) => `For ${origin} and subdomains`,
    neverUsed: 'Never used',
    lastUsed: (ago: string) => `Last used ${ago}`,
    actions: (name: string) => `Actions for ${name}`,
    edit: 'Edit',
    delete: 'Delete',
  },

  dialog: {
    addTitle: 'Add site',
    editTitle: 'Edit site',
    address: 'Address',
    name: 'Name (optional)',
    namePlaceholder: 'e.g. Company wiki',
    login: 'Login',
    savedHeaders: (names: string) => `Saved: ${names}`,
    enterAgain: 'Enter again',
    isWider: 'Enter the login again: this change sends it to more places.',
    expires: 'Expires',
    never: 'never',
    asBefore: (expiry: string) => `As before: ${expiry}`,
    validThrough: 'Valid through',
    subdomains: 'Also for subdomains',
    subdomainsHelp: 'Such as files.example.org for example.org.',
    share: 'Share with all users',
    shareHelp: 'Their archives use the login. They see the name and the address, but not the login.',
  },

  /** What the service finds wrong with a field, in its words: "The address must be an http or https origin." */
  wrong: {
    address: (problem: string) => `The address ${problem}.`,
    name: (problem: string) => `The name ${problem}.`,
    header: (problem: string) => `The header ${problem}.`,
    login: (problem: string) => `The login ${problem}.`,
    expiry: (problem: string) => `The expiry ${problem}.`,
  },

  logins: {
    kind: 'Sign in with',
    kinds: {
      password: 'User name and password',
      token: 'Token',
      cookie: 'Cookie',
      other: 'Other header',
    },
    userName: 'User name',
    header: 'Header',
    values: {
      password: 'Password',
      token: 'Token',
      cookie: 'Cookie',
      other: 'Value',
    },
    remove: (number: number) => `Remove login ${number}`,
    addHeader: 'Add another header',
  },
})
