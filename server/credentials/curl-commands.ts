import {
  type Header,
  headerNameIssue,
  headerValueIssue,
  isOwnHeader,
} from '../fetching/headers/allowed-headers.ts'
import { basicAuthorization } from '../text/basic-authorization.ts'
import { bashCommands } from './bash-words.ts'
import { cmdCommands, isForCmd } from './cmd-words.ts'
import { curlOption, longName, type UsedOption } from './curl-options.ts'
import { UnreadableCredentials } from './unreadable.ts'

/** What a command of curl would fetch. */
export interface CurlCommand {
  readonly urls: readonly string[]
  /** Each name once. Those that only Holdall sets are left out, since browsers copy them, too. */
  readonly headers: readonly Header[]
}

/**
 * Reads commands of curl as browsers copy them ("Copy as cURL", "Copy all as cURL"), for bash and for the Windows Command Prompt, and as
 * people write them. Options that don't change what a server sends are ignored.
 * @throws UnreadableCredentials for a command that would do more than fetch, for an unknown option, and for a text without commands
 */
export function readCurlCommands(text: string): CurlCommand[] {
  const commands = splitCommands(text).flatMap(splitAtNext)
  if (commands.length === 0) throw new UnreadableCredentials('has no curl command')
  return commands.map((words, index) => {
    try {
      return readCommand(words)
    } catch (error) {
      if (!(error instanceof UnreadableCredentials) || commands.length === 1) throw error
      throw new UnreadableCredentials(`(command ${index + 1}) ${error.message}`)
    }
  })
}

/** Each command without its first word, `curl`. */
function splitCommands(text: string): string[][] {
  const commands = isForCmd(text) ? cmdCommands(text) : bashCommands(text)
  return commands.map((words) => {
    // A prompt that was copied with it.
    const [program = '', ...rest] = /^[$%]$/.test(words[0] ?? '') ? words.slice(1) : words
    if (!/^(?:.*[/\\])?curl(?:\.exe)?$/i.test(program))
      throw new UnreadableCredentials(
        'has something else than curl commands. Remove it, and put each URL in quotation marks',
      )
    return rest
  })
}

/** `--next` begins a command with options of its own. */
function splitAtNext(words: readonly string[]): string[][] {
  const parts: string[][] = [[]]
  for (const word of words) {
    if (word === '--next' || word === '-:') parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts
}

function readCommand(words: readonly string[]): CurlCommand {
  const urls: string[] = []
  const given: Given = { headers: [], cookies: [], fallbacks: [] }
  const isGlobbing = !words.some((word) => word === '--globoff' || /^-[a-zA-Z]*g/.test(word))
  const rest = [...words]
  const use = (option: UsedOption, value: string, shown: string) =>
    option === 'url' ? urls.push(value) : take(given, option, value, shown)
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') urls.push(...rest.splice(0))
    else if (word.startsWith('--')) readOption(word.slice(2), word, null, rest, use)
    else if (word.startsWith('-') && word !== '-') readLetters(word.slice(1), rest, use)
    else urls.push(word)
  }
  if (urls.length === 0) throw new UnreadableCredentials('has no URL')
  return { urls: urls.map((url) => readUrl(url, isGlobbing)), headers: headersOf(given) }
}

type Use = (option: UsedOption, value: string, shown: string) => void

/** `-sSL`, `-XGET` and `-H NAME:VALUE`: the first letter that takes a value takes what follows it. */
function readLetters(letters: string, rest: string[], use: Use): void {
  for (let at = 0; at < letters.length; at++) {
    const letter = letters.slice(at, at + 1)
    const attached = letters.slice(at + 1)
    const name = longName(letter)
    if (name === undefined) throw unknownOption(`-${letter}`)
    if (readOption(name, `-${letter}`, attached === '' ? null : attached, rest, use)) return
  }
}

/** @returns whether the option has taken a value */
function readOption(name: string, shown: string, attached: string | null, rest: string[], use: Use): boolean {
  const option = curlOption(name)
  if (option === null) throw unknownOption(shown)
  if (option.kind === 'refused')
    throw new UnreadableCredentials(`has the option ${shown}, which ${option.reason}`)
  if (option.kind === 'ignored' && !option.takesValue) return false
  const value = attached ?? rest.shift()
  if (value === undefined) throw new UnreadableCredentials(`has nothing after its option ${shown}`)
  if (option.kind === 'used') use(option.use, value, shown)
  return true
}

function unknownOption(shown: string): UnreadableCredentials {
  const name = /^--?[\w.#-]{1,40}$/.test(shown) ? ` ${shown}` : ''
  return new UnreadableCredentials(`has an option${name} that Holdall does not know. Remove it`)
}

/** What the options of a command have named so far. */
interface Given {
  readonly headers: Header[]
  readonly cookies: string[]
  /** Those of other options than `-H`, which goes before them. */
  readonly fallbacks: Header[]
}

function take(given: Given, option: Exclude<UsedOption, 'url'>, value: string, shown: string): void {
  switch (option) {
    case 'header': {
      const header = readHeader(value)
      if (header !== null) given.headers.push(header)
      return
    }
    case 'cookie':
      if (value !== '' && !value.includes('='))
        throw new UnreadableCredentials(
          `has the option ${shown} with a file of cookies. Give that file itself`,
        )
      if (value !== '') given.cookies.push(value)
      return
    case 'user':
      if (!value.includes(':')) throw new UnreadableCredentials(`has no password in its option ${shown}`)
      given.fallbacks.push({ name: 'Authorization', value: basicOf(value) })
      return
    case 'oauth2-bearer':
      given.fallbacks.push({ name: 'Authorization', value: `Bearer ${value}` })
      return
    case 'referer':
      given.fallbacks.push({ name: 'Referer', value: value.replace(/;auto$/, '') })
      return
    case 'user-agent':
      given.fallbacks.push({ name: 'User-Agent', value })
      return
    case 'request':
      if (value.toUpperCase() !== 'GET')
        throw new UnreadableCredentials(
          `asks for the method ${/^[a-z]{1,20}$/i.test(value) ? value.toUpperCase() : 'of its option -X'}. Holdall only fetches files, with GET`,
        )
  }
}

function basicOf(user: string): string {
  const end = user.indexOf(':')
  return basicAuthorization(user.slice(0, end), user.slice(end + 1))
}

/** The value of `-H`. Null for one that takes a header away, and for one that is Holdall's own. */
function readHeader(text: string): Header | null {
  if (text.startsWith('@'))
    throw new UnreadableCredentials('has an option -H with a file. Give that file itself')
  // Browsers once copied the fields of HTTP/2 that begin with a colon.
  if (text.startsWith(':')) return null
  const [, name = '', separator, value = ''] = /^([^:;]*)([:;])([\s\S]*)$/.exec(text) ?? []
  if (separator === undefined) throw new UnreadableCredentials('has a header without a colon')
  // `-H 'Name;'` sends the header without a value, and `-H 'Name:'` sends none.
  if ((separator === ':' && value.trim() === '') || isOwnHeader(name.trim())) return null
  return { name: name.trim(), value: separator === ';' ? '' : value.trim() }
}

/** Each name once: several values are one list (RFC 9110 section 5.3, RFC 6265 section 5.4). */
function headersOf({ headers, cookies, fallbacks }: Given): Header[] {
  const byName = new Map<string, Header>()
  const put = ({ name, value }: Header, separator: string) => {
    const key = name.toLowerCase()
    const known = byName.get(key)
    byName.set(
      key,
      known === undefined ? { name, value } : { ...known, value: known.value + separator + value },
    )
  }
  for (const header of headers) put(header, header.name.toLowerCase() === 'cookie' ? '; ' : ', ')
  for (const value of cookies) put({ name: 'Cookie', value }, '; ')
  for (const header of fallbacks.toReversed()) {
    if (!byName.has(header.name.toLowerCase()) && header.value !== '') put(header, ', ')
  }
  for (const { name, value } of byName.values()) {
    const nameIssue = headerNameIssue(name)
    if (nameIssue !== null) throw new UnreadableCredentials(`has a header whose name ${nameIssue}`)
    const valueIssue = headerValueIssue(value)
    if (valueIssue !== null) throw new UnreadableCredentials(`has a header ${name} whose value ${valueIssue}`)
  }
  return [...byName.values()]
}

/** Like curl, takes `http://` for a URL without a scheme. Unless `-g` is there, it takes brackets and braces for lists. */
function readUrl(text: string, isGlobbing: boolean): string {
  const lists = text.replace(/\\[[\]{}]/g, '').replace(/^[^/]*\/\/[^/]*/, '')
  if (isGlobbing && /\{[^{}]*\}|\[[^[\]]*-[^[\]]*\]/.test(lists))
    throw new UnreadableCredentials('has a URL that stands for several ({} or []). Write each URL, or add -g')
  const url = isGlobbing ? text.replace(/\\([[\]{}])/g, '$1') : text
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`
  if (!/^https?:$/.test(URL.parse(whole)?.protocol ?? ''))
    throw new UnreadableCredentials('has a URL that is not an http or https URL')
  return whole
}
