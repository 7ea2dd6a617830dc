import { parseArgs } from 'node:util'
import {
  type Config,
  type Environment,
  type Flags,
  loadConfig,
  SETTINGS,
  type Setting,
} from '../config/config.ts'
import { SettingError } from '../config/setting-values.ts'
import { PLAN_NAMES, type PlanName } from '../vocabulary.ts'
import { UsageError } from './command.ts'
import { givenSettings } from './given-settings.ts'

export interface Arguments {
  readonly positionals: readonly string[]
  /** The command's own flags, by name. A switch that is set is `'true'`. */
  readonly own: Readonly<Record<string, string | undefined>>
  /** The same with all values, for flags that may be repeated. */
  readonly lists: Readonly<Record<string, readonly string[]>>
  readonly config: Config
  /** The settings that were given by flag or environment, by variable, with absolute paths. */
  readonly given: Readonly<Record<string, string>>
}

/** What a command accepts in addition to the settings. */
export interface ExpectedArguments {
  /** Flags that each take a value. */
  readonly own?: readonly string[]
  /** Flags without a value. */
  readonly switches?: readonly string[]
  /** Short forms of its own flags: flag by letter. */
  readonly short?: Readonly<Record<string, string>>
  /** Names of the positional arguments, for the message; `any` accepts any number. */
  readonly positionals?: readonly string[] | 'any'
}

/**
 * Parses the arguments of a command: the settings, which every command accepts, and its own.
 * @throws UsageError
 */
export function readArguments(
  args: readonly string[],
  env: Environment,
  expected: ExpectedArguments = {},
): Arguments {
  const { own = [], switches = [], short = {}, positionals: names = [] } = expected
  const { flags, positionals } = parse(args, own, switches, short)
  if (names !== 'any' && positionals.length !== names.length) {
    throw new UsageError(
      names.length === 0 ? `Unexpected argument ${positionals[0]}.` : `Expected ${names.join(' ')}.`,
    )
  }
  try {
    const config = loadConfig(flags, env)
    return {
      positionals,
      own: Object.fromEntries([...own, ...switches].map((name) => [name, flags[name]?.at(-1)])),
      lists: Object.fromEntries(own.map((name) => [name, flags[name] ?? []])),
      config,
      given: givenSettings(flags, env),
    }
  } catch (error) {
    if (error instanceof SettingError) throw new UsageError(error.message)
    throw error
  }
}

/** Parses the name of a plan. `argument` is the name of the argument, for the message. */
export function parsePlanName(name: string | undefined, argument: string): PlanName {
  const plan = PLAN_NAMES.find((known) => known === name)
  if (plan === undefined) throw new UsageError(`${argument}: expected free or pro`)
  return plan
}

const STRING = { type: 'string', multiple: true } as const
const SWITCH = { type: 'boolean' } as const

function parse(
  args: readonly string[],
  own: readonly string[],
  switches: readonly string[],
  short: Readonly<Record<string, string>>,
): { flags: Flags; positionals: string[] } {
  const letters = Object.fromEntries(Object.entries(short).map(([letter, name]) => [name, { short: letter }]))
  const settings = Object.values<Setting>(SETTINGS).map(({ flag, value, short: letter }) => [
    flag,
    { ...(value === null ? SWITCH : STRING), ...(letter !== undefined && { short: letter }) },
  ])
  const options = Object.fromEntries([
    ...settings,
    ...own.map((name) => [name, { ...STRING, ...letters[name] }]),
    ...switches.map((name) => [name, SWITCH]),
  ])
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: true,
    })
    const flags = Object.entries(values).map(([name, value]) => [name, textsOf(value)])
    return { flags: Object.fromEntries(flags), positionals }
  } catch (error) {
    // Keeps only the first sentence: Node's messages continue with advice about files whose names look like flags.
    const [sentence = 'The arguments cannot be parsed.'] = String(
      error instanceof Error ? error.message : error,
    ).split(/(?<=\.) |\n/)
    throw new UsageError(`${sentence.trim().replace(/\.?$/, '.')} See holdall --help.`)
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)]
}
