import { createCipheriv } from 'node:crypto'

/** Bytes that look like noise, the same on every machine: the key stream of AES in counter mode. */
export function noise(sizeBytes: number, seed: number): Buffer<ArrayBuffer> {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16))
  return Buffer.from(cipher.update(Buffer.alloc(sizeBytes)))
}

/**
 * Rows like those of an API (`json`) or of a page (`html`), the same on every machine. They compress like real ones.
 */
export function text(sizeBytes: number, seed: number, format: 'json' | 'html'): Buffer<ArrayBuffer> {
  const next = numbers(seed)
  const words = Array.from({ length: WORDS }, () => next(MODULUS).toString(36).slice(next(4)))
  // Ranks have a Pareto distribution: a few words are very common, as in a language.
  const word = () => words[Math.min(Math.floor((next(MODULUS) / MODULUS) ** -PARETO), WORDS - 1)]
  const sentence = (length: number) => Array.from({ length }, word).join(' ')
  const row = () =>
    format === 'json'
      ? `${JSON.stringify({ id: next(1e9), name: sentence(3), price: next(1e5) / 100, note: sentence(12), ok: next(2) === 1 })},\n`
      : `<tr class="row"><td class="id">${next(1e6)}</td><td><a href="/item/${word()}">${sentence(4)}</a></td><td>${sentence(14)}</td></tr>\n`
  const rows: string[] = []
  for (let length = 0; length < sizeBytes; length += rows.at(-1)?.length ?? 0) rows.push(row())
  return Buffer.from(rows.join('').slice(0, sizeBytes))
}

/** Lehmer's generator: whole numbers below a bound. */
function numbers(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state * 48271) % MODULUS
    return state % bound
  }
}

const WORDS = 4_000
/** With this value, libdeflate compresses the text to about a fifth, like common API responses. */
const PARETO = 1.7
const MODULUS = 0x7fffffff
