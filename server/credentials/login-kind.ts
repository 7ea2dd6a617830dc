/** A form in which people have logins at hand. */
export type LoginKind = 'curl' | 'cookies.txt' | 'netrc'

/** The form of a text, by its beginning; null for any other text, such as a list of links or words about curl. */
export function loginKind(text: string): LoginKind | null {
  const start = text.slice(0, SAMPLE_CHARACTERS)
  if (CURL.test(start)) return 'curl'
  if (COOKIES_HEADER.test(start) || COOKIES_LINE.test(start)) return 'cookies.txt'
  return NETRC.test(start) ? 'netrc' : null
}

const SAMPLE_CHARACTERS = 10_000

/** After a prompt, if it was copied with it: `curl`, and an option, a quotation mark, a URL or a line break. */
const CURL = /^\s*(?:[$%]\s+)?curl(?:\.exe)?\s+(?:--?[a-z#]|\^?["']|\$'|https?:|\^\r?\n|\\\r?\n)/i
const COOKIES_HEADER = /^\s*# (?:Netscape )?HTTP Cookie File/i
/** The first five fields of the first cookie, after comments. */
const COOKIES_LINE =
  /^(?:#[^\n]*\n|\s)*(?:#HttpOnly_)?[^\s#]+\t(?:TRUE|FALSE)\t\/[^\t\n]*\t(?:TRUE|FALSE)\t-?\d[\d.]*\t/i
/** The first host, after comments. */
const NETRC = /^(?:#[^\n]*\n|\s)*(?:machine\s+\S+|default)\s+(?:login|account|password)\s+\S/
