import PostalMime from 'postal-mime'
import { plainSubject } from '../links/find-title.ts'
import { textWithMoreLinks } from '../links/text-with-more-links.ts'

export interface Mail {
  readonly subject: string | null
  readonly text: string
}

/** Reads a saved e-mail: its subject, and of the two forms of its text the one with more links. */
export async function readMail(bytes: Uint8Array): Promise<Mail> {
  const { subject = '', text = '', html = '' } = await PostalMime.parse(bytes)
  return { subject: plainSubject(subject), text: textWithMoreLinks(text, html) }
}
