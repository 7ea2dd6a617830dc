import { parseArgs } from 'node:util'

/** The arguments of `bun run bench`. */
export interface BenchArguments {
  readonly rounds: number
  readonly scale: number
  /** Names of the selected measurements, in the order of the list. */
  readonly names: readonly string[]
  /** The directory for the results. */
  readonly outDir: string
}

/** @throws an error with a message for the user if an argument is invalid */
export function readBenchArguments(
  args: readonly string[],
  known: readonly string[],
  defaultOutDir: string,
): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      only: { type: 'string' },
      scale: { type: 'string', default: '1' },
      out: { type: 'string', default: defaultOutDir },
    },
  })
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > MAX_ROUNDS) {
    throw new Error(`--rounds: expected a whole number from 1 to ${MAX_ROUNDS}`)
  }
  const scale = Number(values.scale)
  if (!(scale > 0 && scale <= 1)) throw new Error('--scale: expected a number above 0, up to 1')
  return { rounds, scale, outDir: values.out, names: selected(known, values.only) }
}

/** A name also selects the names that start with it and a hyphen: `growth` selects `growth-urls`. */
function selected(known: readonly string[], only: string | undefined): readonly string[] {
  if (only === undefined) return known
  const wanted = only.split(',').map((name) => name.trim().toLowerCase())
  const selects = (name: string) => {
    const lower = name.toLowerCase()
    return (prefix: string) => lower === prefix || lower.startsWith(`${prefix}-`)
  }
  const useless = wanted.find((prefix) => !known.some((name) => selects(name)(prefix)))
  if (useless !== undefined) throw new Error(`--only: there is no ${useless}, only ${known.join(', ')}`)
  return known.filter((name) => wanted.some(selects(name)))
}

/** More rounds would take longer than a night. */
const MAX_ROUNDS = 100
