/** Returns a command line for a POSIX shell. Words with characters that may be special in a shell are quoted. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}

const PLAIN = /^[\w@%+=:,./-]+$/
