import { catalogue } from '../catalogue.ts'

export const addToBrowserCopy = catalogue('addToBrowserCopy', {
  title: 'Add to browser',
  lead: 'Send links to Holdall from anywhere.',

  button: 'A button for every page',
  buttonText:
    'Drag this button to your bookmarks bar, or create a bookmark with its address. On any page, it opens Holdall with the links of that page, or with those in your selection.',
  send: 'Send to Holdall',
  copyBookmark: 'Copy bookmark address',

  app: 'Install as an app',
  appText:
    'Choose “Install Holdall” or “Add to Home screen” in the menu of your browser. Holdall then has its own window and icon. On Android, it also appears in the share menu of other apps.',
  appWhere: 'Browsers offer this only at https addresses, and on the computer that runs Holdall.',

  link: 'A link that fills the list',
  linkText: 'Any text with links can follow this address. Nothing is packed until you press Pack.',
  address: 'Address',
  copyAddress: 'Copy address',
})
