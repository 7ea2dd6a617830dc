import { resolve } from 'node:path'
import { type Environment, type Flags, SETTINGS, textOf } from '../config/config.ts'

/**
 * The settings that a flag or the environment names, by the variable of each, for a start from another directory: paths are
 * absolute. Without `--no-open`, which belongs to a start, not to a service.
 */
export function givenSettings(flags: Flags, env: Environment): Record<string, string> {
  const given = Object.values(SETTINGS).flatMap((setting) => {
    const texts = textOf(setting, flags, env)
    if (texts === undefined || setting === SETTINGS.noOpen) return []
    const isPath = PATHS.has(setting.flag)
    const text = [texts].flat().map((each) => (isPath ? resolve(each) : each))
    return [[setting.env, text.join(',')]]
  })
  return Object.fromEntries(given)
}

const PATHS: ReadonlySet<string> = new Set(
  [SETTINGS.data, SETTINGS.archives, SETTINGS.plans, SETTINGS.ownerKeyFile, SETTINGS.ca].map(
    ({ flag }) => flag,
  ),
)
