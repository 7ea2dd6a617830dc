import { catalogue } from '../catalogue.ts'

export const signInCopy = catalogue('signInCopy', {
  title: 'Sign in',
  lead: 'Open the sign-in link that you were sent. If you have none, ask the person who runs this Holdall.',
  failedLink: 'Ask the person who sent you the link for a new one.',
  ownHelp:
    'If you run it yourself, the link is in the terminal where Holdall was started. For a new one, run the command that it printed there.',
  expired: 'You were signed out: this browser’s key expired or was revoked.',
  paste: 'Or paste a link or an API key',
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  usedLink: 'This link was already used or has expired. Links work once, within 30 minutes.',
  unknownKey: 'Unknown API key. It may have expired or been revoked.',

  signedInAs: (name: string) => `You are signed in as ${name}`,
  question: (name: string) =>
    `A sign-in link was opened. It may belong to somebody else. If you use it, ${name} is signed out of this browser. If you didn’t ask for a link, stay signed in.`,
  stay: (name: string) => `Stay signed in as ${name}`,
  useLink: 'Use the link',
})
