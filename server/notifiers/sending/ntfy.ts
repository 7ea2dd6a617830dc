import type { Notifier } from '../notifier.ts'
import type { OutgoingMessage } from './attempt.ts'
import type { Notice } from './notice.ts'

/**
 * The request that publishes a notice to an ntfy topic: its text is the body, and everything else is in headers
 * (https://docs.ntfy.sh/publish/). Which links failed is not told: whoever knows the name of a topic can read it.
 * @param token of the ntfy server
 */
export function ntfyRequest(topicUrl: string, notice: Notice, token: string | null): OutgoingMessage {
  return {
    url: topicUrl,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: encodedWords(notice.title),
      click: notice.link.url,
      tags: notice.isTrouble ? 'warning' : 'package',
      priority: notice.isTrouble ? HIGH : DEFAULT,
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: notice.lines.join('\n'),
  }
}

/** What a sealed token belongs to: a row whose topic somebody changes in the database has none. */
export function tokenContextOf({ id, target }: Pick<Notifier, 'id' | 'target'>): string {
  return `notifier ${id} ${target}`
}

/** A header has ASCII only, so ntfy decodes words of RFC 2047 in it. Each has at most 75 characters (section 2). */
function encodedWords(text: string): string {
  if (/^[ -~]*$/.test(text) && !text.includes('=?')) return text
  const words: string[] = []
  let word = ''
  for (const character of text) {
    if (Buffer.byteLength(word + character) > MAX_WORD_BYTES) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((each) => `=?UTF-8?B?${Buffer.from(each).toString('base64')}?=`).join(' ')
}

const DEFAULT = '3'
const HIGH = '4'

/** 60 characters of base64, and 12 around them. */
const MAX_WORD_BYTES = 45
