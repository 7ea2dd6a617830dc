import { catalogue } from '../catalogue.ts'

/** The ways to pass a link on, for the owner of an archive and for receivers. */
export const sharingCopy = catalogue('sharingCopy', {
  share: 'Share',
  shareUntil: (time: string) => `Anyone with this link can download the archive until ${time}.`,
  shareWhenReady: 'Anyone with this link can download the archive as soon as it is ready.',
  link: 'Link',
  copyLink: 'Copy link',
  qrCode: 'QR code',
  qrCodeOfLink: 'QR code of the link',
  scan: 'Scan the code with a phone to open the link there.',
  openAsReceiver: 'Open as the receiver sees it',
  onlyHere: 'Only this computer can open this link.',
  onlyHereHelp:
    'To share it, start Holdall with {listen} and open it by the name or the address of this computer, or give it a public address: {baseUrl}. {more}',
  onlyHereMore: 'How to run it on a server',
  howToChange: 'How to change that',
  linkForOthers: 'A link for others',
})
