import { copyLanguage } from '../language/catalogue.ts'
import { serviceWordsCopy } from '../language/english/service-words.ts'

/**
 * A text to show. What the service says is in English, and is marked where the page is in another language, so that screen readers
 * speak it as English (WCAG 2.2, 3.1.2). `MessageText` shows it.
 */
export type Message = string | { readonly before: string; readonly english: string; readonly after: string }

/** An error whose message is shown. */
export class MessageError extends Error {
  readonly shown: Message

  constructor(shown: Message) {
    super(plainText(shown))
    this.shown = shown
  }
}

/** Returns the text to show for an error that was caught. */
export function messageOf(error: unknown): Message {
  if (error instanceof MessageError) return error.shown
  return error instanceof Error ? error.message : String(error)
}

/** Words of the service: as the translation has them, or in English. */
export function wordsOfService(words: string): Message {
  const translation = serviceWordsCopy.sentence(words)
  return translation === words ? inEnglish(words) : translation
}

/** Words that stay in English, such as those that programs compare. */
export function inEnglish(words: string): Message {
  return copyLanguage === 'en' ? words : { before: '', english: words, after: '' }
}

/** What a translation makes of a sentence of the service by its code. It leaves one that it doesn't know as it is. */
export function translated(text: string, english: string): Message {
  return text === english ? wordsOfService(english) : text
}

/** A message as a part of a sentence. */
export function inSentence(message: Message, sentence: (part: string) => string): Message {
  if (typeof message === 'string') return sentence(message)
  const [before = '', after = ''] = sentence(message.before + HOLE + message.after).split(HOLE)
  return { before, english: message.english, after }
}

/** The message where nothing can be marked, such as in a notification of the system. */
export function plainText(message: Message): string {
  return typeof message === 'string' ? message : message.before + message.english + message.after
}

/** Unicode assigns it no meaning, so it is in no sentence. */
const HOLE = '\uE000'
