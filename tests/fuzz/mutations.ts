const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.~%& \u00e9\u00ff']

/**
 * A secret with one to three alterations that differs from all given ones. `random` returns numbers from 0 to 1. Spaces
 * around a secret do not make it differ.
 */
export function mutant(secrets: readonly string[], random: () => number): string {
  for (;;) {
    let text = pick(secrets, random)
    const changes = 1 + Math.floor(random() * 3)
    for (let change = 0; change < changes; change++) text = pick(MUTATIONS, random)(text, random, secrets)
    const trimmed = text.trim()
    // `.` and `..` are special in a path, and header fields may contain only printable Latin-1.
    if (!secrets.includes(trimmed) && !/^\.{0,2}$|[^ -~\u00a1-\u00ff]/.test(trimmed)) return trimmed
  }
}

type Mutation = (text: string, random: () => number, secrets: readonly string[]) => string

const MUTATIONS: readonly Mutation[] = [
  function replaceCharacter(text, random) {
    const at = randomIndex(text, random)
    return text.slice(0, at) + pick(ALPHABET, random) + text.slice(at + 1)
  },
  function nextCharacter(text, random) {
    const at = randomIndex(text, random)
    return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)
  },
  function insertCharacter(text, random) {
    const at = randomIndex(text, random)
    return text.slice(0, at) + pick(ALPHABET, random) + text.slice(at)
  },
  function removeCharacter(text, random) {
    const at = randomIndex(text, random)
    return text.slice(0, at) + text.slice(at + 1)
  },
  function swapNeighbours(text, random) {
    const at = randomIndex(text, random)
    return text.slice(0, at) + text.slice(at + 1, at + 2) + text.slice(at, at + 1) + text.slice(at + 2)
  },
  function otherCase(text, random) {
    const at = randomIndex(text, random)
    const character = text.charAt(at)
    const other = character === character.toUpperCase() ? character.toLowerCase() : character.toUpperCase()
    return text.slice(0, at) + other + text.slice(at + 1)
  },
  function cut(text, random) {
    return text.slice(0, randomIndex(text, random))
  },
  function cutFront(text, random) {
    return text.slice(randomIndex(text, random))
  },
  function double(text) {
    return text + text
  },
  function append(text, random) {
    return text + pick(['A', '=', '==', '.', '%00', '/', '\u00ff'], random)
  },
  function spliceAnother(text, random, secrets) {
    const at = randomIndex(text, random)
    return text.slice(0, at) + pick(secrets, random).slice(at)
  },
  /** Changes bits of the decoded value and encodes it again. */
  function flipBit(text, random) {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length === 0) return text
    const at = randomIndex(bytes, random)
    bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8)), at)
    return bytes.toString('base64url')
  },
  function zeroTail(text, random) {
    const bytes = Buffer.from(text, 'base64url')
    return bytes.fill(0, randomIndex(bytes, random)).toString('base64url')
  },
]

function pick<T>(choices: readonly T[], random: () => number): T {
  const choice = choices[Math.floor(random() * choices.length)]
  if (choice === undefined) throw new Error('There is nothing to choose from.')
  return choice
}

function randomIndex(text: { readonly length: number }, random: () => number): number {
  return Math.floor(random() * text.length)
}
