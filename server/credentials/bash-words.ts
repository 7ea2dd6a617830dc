import { UnreadableCredentials } from './unreadable.ts'

/**
 * The words of each command of a text for bash: quotes, escapes and line breaks are resolved as in its manual, section "Quoting".
 * Redirections are left out, since they don't change what a command sends.
 * @throws UnreadableCredentials for what only a shell knows, such as the value of a variable
 */
export function bashCommands(text: string): string[][] {
  const commands: string[][] = []
  let words: string[] = []
  let word: string | null = null
  let isFileNext = false

  const endWord = () => {
    if (word !== null && !isFileNext) words.push(word)
    if (word !== null) isFileNext = false
    word = null
  }
  const endCommand = () => {
    endWord()
    if (words.length > 0) commands.push(words)
    words = []
    isFileNext = false
  }

  for (let at = 0; at < text.length; ) {
    const { kind, match } = tokenAt(text, at)
    at += match[0].length
    const [all, content = ''] = match
    switch (kind) {
      case 'continuation':
        break
      case 'escaped':
      case 'single':
        word = (word ?? '') + content
        break
      case 'ansi':
        word = (word ?? '') + ansiText(content)
        break
      case 'double':
        word = (word ?? '') + doubleQuotedText(content)
        break
      case 'plain':
        word = (word ?? '') + all
        break
      case 'comment':
        // Within a word, it is no comment.
        if (word === null) at += REST_OF_LINE.exec(text.slice(at))?.[0].length ?? 0
        else word += all
        break
      case 'blank':
        endWord()
        break
      case 'redirection':
        // In `2>FILE`, the number belongs to it.
        if (word !== null && /^\d+$/.test(word)) word = null
        endWord()
        isFileNext = !/&\d$/.test(all)
        break
      case 'end':
        endCommand()
        break
      case 'variable':
        throw variable()
    }
  }
  endCommand()
  return commands
}

type TokenKind = (typeof TOKENS)[number][0]

function tokenAt(text: string, at: number): { kind: TokenKind; match: RegExpExecArray } {
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) return { kind, match }
  }
  throw new UnreadableCredentials('has a quotation mark that is not closed')
}

/** Of two that match, the first counts. */
const TOKENS = [
  ['continuation', /\\\r?\n/y],
  ['escaped', /\\([\s\S]?)/y],
  ['single', /'([^']*)'/y],
  ['ansi', /\$'([^'\\]*(?:\\[\s\S][^'\\]*)*)'/y],
  ['double', /\$?"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y],
  ['variable', /\$(?=[\w{(@*#?!$-])|`/y],
  ['blank', /[ \t\r\f\v]+/y],
  ['comment', /#/y],
  ['redirection', /&?>>?(?:&\d)?|<+/y],
  ['end', /[\n;|&()]+/y],
  ['plain', /\$|[^\s'"\\$`#;|&()<>]+/y],
] as const

const REST_OF_LINE = /^[^\n]*/

function doubleQuotedText(quoted: string): string {
  return quoted.replace(IN_DOUBLE_QUOTES, (_, escaped: string | undefined) => {
    if (escaped === undefined) throw variable()
    return /\n/.test(escaped) ? '' : escaped
  })
}

const IN_DOUBLE_QUOTES = /\\(\r?\n|[$`"\\])|`|\$(?=[\w{(@*#?!$-])/g

/** The manual's section "ANSI-C Quoting". */
function ansiText(quoted: string): string {
  return quoted.replace(ANSI_ESCAPE, (all, code: string) => {
    const number = /^[xuU]/.test(code) ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8)
    if (!Number.isNaN(number)) return number <= 0x10ffff ? String.fromCodePoint(number) : all
    if (/^c./s.test(code)) return String.fromCharCode(code.charCodeAt(1) & 31)
    return ANSI_LETTERS[code] ?? (/^["'?\\]$/.test(code) ? code : all)
  })
}

const ANSI_ESCAPE = /\\(x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8}|[0-7]{1,3}|c[\s\S]|[\s\S])/g
const ANSI_LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

function variable(): UnreadableCredentials {
  return new UnreadableCredentials(
    'has a variable of the shell. Write its value instead, or put it in single quotes',
  )
}
