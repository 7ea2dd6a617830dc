/**
 * Whether a text is one e-mail address, as browsers check it (HTML Standard, section 4.10.5.1.5). Nothing in it can end a header or
 * a command, and there is only one.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_CHARACTERS && ADDRESS.test(text)
}

/** RFC 5321, section 4.5.3.1.3, without the brackets. */
const MAX_CHARACTERS = 254
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const ADDRESS = new RegExp(`^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}(?:\\.${LABEL})*$`)
