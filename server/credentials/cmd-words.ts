import { UnreadableCredentials } from './unreadable.ts'

/**
 * The words of each command of a text for the Windows Command Prompt. `cmd.exe` resolves the carets first, and then the program the
 * quotation marks and backslashes, as Microsoft's C runtime does ("Parsing C command-line arguments").
 */
export function cmdCommands(text: string): string[][] {
  return withoutCarets(text)
    .map(wordsOf)
    .filter((words) => words.length > 0)
}

/** Whether a text is for the Command Prompt: its quotation marks have carets, or so do its line breaks. */
export function isForCmd(text: string): boolean {
  // Up to each quotation mark or line break, so that the time grows with the length of the text alone.
  const isCurlWithCaret = (piece: string) => /\^(?:"|\r?\n)$/.test(piece) && /\bcurl(?:\.exe)?\s/i.test(piece)
  return text.split(/(?<=['"\n])/).some(isCurlWithCaret) || /" \^\r?\n/.test(text)
}

/** The commands of a text. `&` and a line break end one, unless they are quoted or follow a caret. */
function withoutCarets(text: string): string[] {
  const commands: string[] = []
  let command = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '^' && !isQuoted) {
      const [lineBreak = ''] = /^\r?\n/.exec(text.slice(at + 1, at + 3)) ?? []
      at += 1 + lineBreak.length
      // A line break after a continued line is taken as it is, and so is any other character.
      command += text[at] ?? ''
      continue
    }
    if (character === '"') isQuoted = !isQuoted
    if (character === '\n' || (!isQuoted && /[&|]/.test(character))) {
      commands.push(command)
      command = ''
      isQuoted = false
    } else {
      command += character
    }
  }
  return [...commands, command]
}

function wordsOf(command: string): string[] {
  const words: string[] = []
  let word: string | null = null
  let isQuoted = false
  for (let rest = command; rest !== ''; ) {
    const [token = '', backslashes = '', quote = '', blank = ''] = TOKEN.exec(rest) ?? []
    rest = rest.slice(token.length)
    if (quote !== '') {
      word = (word ?? '') + backslashes.slice(0, backslashes.length / 2)
      if (backslashes.length % 2 === 1) {
        word += quote
      } else if (isQuoted && rest.startsWith(quote)) {
        // In quotation marks, two of them stand for one.
        word += quote
        rest = rest.slice(1)
      } else {
        isQuoted = !isQuoted
      }
    } else if (blank !== '' && !isQuoted) {
      if (word !== null) words.push(word)
      word = null
    } else {
      word = (word ?? '') + token
    }
  }
  if (isQuoted) throw new UnreadableCredentials('has a quotation mark that is not closed')
  return word === null ? words : [...words, word]
}

const TOKEN = /^(?:(\\*)(")|(\s+)|\\+|[^\s"\\]+)/
