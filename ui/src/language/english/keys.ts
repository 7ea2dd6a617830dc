import { catalogue } from '../catalogue.ts'

export const keysCopy = catalogue('keysCopy', {
  title: 'API keys',
  lead: 'API keys let programs use Holdall on your behalf.',
  yourKeys: 'Your keys',
  noKeys: 'No keys yet',
  noKeysText: 'Create one above for a script, a server or another computer. Revoke each separately.',
  firstCall: 'A first call',
  browsers: 'Signed-in browsers',
  noBrowsers: 'No signed-in browsers',
  noBrowsersText:
    'Browsers that sign in by a link are listed here. They are signed out after 30 days without use.',
  browserSignedOut: 'Browser signed out',
  revoked: (name: string) => `${name} revoked`,

  form: {
    title: 'New key',
    name: 'Name',
    namePlaceholder: 'e.g. Backup script',
    expires: 'Expires',
    validThrough: 'Valid through',
    create: 'Create key',
    creating: 'Creating…',
  },

  created: {
    title: (name: string) => `Key “${name}” created`,
    lead: 'Copy the key now and store it like a password. You won’t see it again.',
    key: 'Key',
    copyKey: 'Copy key',
    tryIt: 'Try it in a terminal',
    copyCommand: 'Copy command',
  },

  /** The service names a browser in English: "Firefox on Windows". Other names stay as they are. */
  keyName: (name: string) => name,

  row: {
    thisBrowser: 'This browser',
    neverUsed: 'Never used',
    lastUsed: (ago: string) => `Last used ${ago}`,
    expired: (ago: string) => `Expired ${ago}`,
    expires: (inTime: string) => `Expires ${inTime}`,
    created: (at: string) => `Created ${at}`,
    signedIn: (at: string) => `Signed in ${at}`,
    revoke: 'Revoke',
    revokeKey: (name: string) => `Revoke ${name}`,
    signOut: 'Sign out',
    signOutBrowser: (name: string) => `Sign out ${name}`,
  },

  revoking: {
    title: (name: string) => `Revoke ${name}?`,
    action: 'Revoke key',
    busy: 'Revoking…',
    signOutTitle: 'Sign out this browser?',
    signOut: 'Sign out',
    signingOut: 'Signing out…',
    ownBrowser: 'It is the one you are using now: you will be signed out here. This can’t be undone.',
    otherBrowser: 'Whoever uses it needs a new sign-in link. This can’t be undone.',
    key: 'Anything using this key stops immediately. This can’t be undone.',
  },
})
