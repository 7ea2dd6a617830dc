/**
 * A text of a stranger as one line of a terminal or of a log: control characters, which a terminal would obey, and bidirectional
 * controls, which would make it look like another text, are shown as `\u{1b}`. The password of a URL becomes `***`.
 * @param maxCharacters a longer text is cut, and ends with `…`
 */
export function printable(text: string, maxCharacters = Infinity): string {
  const shown = text
    .replace(URL_PASSWORD, '$1***@')
    .replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
  return shown.length <= maxCharacters ? shown : `${shown.slice(0, maxCharacters)}…`
}

/** The password ends at the last `@` before the path (URL Standard, section 4.4). */
const URL_PASSWORD = /^([^:/?#]*:[/\\]{2,}[^:/?#\\]*:)[^/?#\\]*@/
const UNPRINTABLE = /[\p{Control}\p{Bidi_Control}\u{2028}\u{2029}]/gu
