import { z } from 'zod'
import { StartRefused } from '../errors.ts'
import { writeDurably } from '../files/durable.ts'
import { readOwnFile } from '../files/own-file.ts'
import type { Sealing } from '../sites/sealing.ts'
import { parseJson } from '../text/parse-json.ts'
import {
  CHANGEABLE,
  type ChangeableName,
  type ChangeableSetting,
  type OwnerTexts,
  type OwnerValues,
  parseOwnerTexts,
} from './changeable.ts'

/** What the owner has set while the service ran. */
export interface OwnerSettings {
  readonly texts: OwnerTexts
  readonly values: OwnerValues
  readonly lastChange: LastChange | null
}

/** When settings were changed last, and by which key. */
export interface LastChange {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly keyName: string
  /** The flags of the settings. */
  readonly flags: readonly string[]
}

/** The content of a file in which nothing is set. */
export const EMPTY_SETTINGS_FILE = '{"settings":{}}\n'

/**
 * Reads the file of the owner's settings, which people may edit while no service runs.
 * @param sealing opens passwords; called only when there are any
 * @throws StartRefused, which names the file and the setting, when one can't be used
 */
export function readOwnerSettings(path: string, sealing: () => Sealing): OwnerSettings {
  const text = readOwnFile(path)
  if (text === null) return { texts: {}, values: {}, lastChange: null }
  const { data } = settingsFile.safeParse(parseJson(text), { jitless: true })
  if (data === undefined) throw refused(path, 'it is not a JSON file with "settings"')
  const texts: Partial<Record<ChangeableName, unknown>> = {}
  for (const [flag, stored] of Object.entries(data.settings)) {
    const setting = CHANGEABLE.find((each) => each.flag === flag)
    if (setting === undefined) throw refused(path, `${flag} is not a setting that can be set there`)
    const found = setting.change.isSecret ? opened(stored, setting, sealing()) : stored
    if (found === null)
      throw refused(path, `${flag} was sealed with another key. Remove it there, and enter it again`)
    texts[setting.name] = found
  }
  const parsed = parseOwnerTexts(texts)
  if ('issues' in parsed) {
    const [issue] = parsed.issues
    const flag = CHANGEABLE.find(({ name }) => name === issue?.name)?.flag
    throw refused(path, `${[flag, ...(issue?.path ?? [])].join('.')}: ${issue?.message}`)
  }
  const { at, key, settings } = data.last_change ?? {}
  const lastChange =
    at === undefined || key === undefined ? null : { at: Date.parse(at), keyName: key, flags: settings ?? [] }
  return { texts, values: parsed.values, lastChange }
}

/** Replaces the file: after a crash it has either all of the old settings or all of the new ones. */
export function writeOwnerSettings(
  path: string,
  texts: OwnerTexts,
  { at, keyName, flags }: LastChange,
  sealing: Sealing,
): void {
  const settings = CHANGEABLE.flatMap((setting) => {
    const text = texts[setting.name]
    if (text === undefined) return []
    return [[setting.flag, setting.change.isSecret ? sealed(String(text), setting, sealing) : text]]
  })
  const content = {
    settings: Object.fromEntries(settings),
    last_change: { at: new Date(at).toISOString(), key: keyName, settings: flags },
  }
  writeDurably(path, `${JSON.stringify(content, null, 2)}\n`)
}

/** What the values may be, the parsers of the settings say. */
const settingsFile = z.strictObject({
  settings: z.record(z.string(), z.unknown()),
  last_change: z.optional(z.object({ at: z.iso.datetime(), key: z.string(), settings: z.array(z.string()) })),
})

const sealedText = z.strictObject({ sealed: z.base64() })

function sealed(text: string, setting: ChangeableSetting, sealing: Sealing): z.infer<typeof sealedText> {
  return { sealed: sealing.seal(text, contextOf(setting)).toString('base64') }
}

/** Null when it can't be opened. Any other value is left to the parser of the setting. */
function opened(stored: unknown, setting: ChangeableSetting, sealing: Sealing): unknown {
  const { data } = sealedText.safeParse(stored)
  if (data === undefined) return stored
  return sealing.open(Buffer.from(data.sealed, 'base64'), contextOf(setting))
}

function contextOf({ flag }: ChangeableSetting): string {
  return `setting ${flag}`
}

function refused(path: string, problem: string): StartRefused {
  return new StartRefused(
    `${path}: ${problem}. Correct it, or delete the file: then flags, the environment and defaults alone count.`,
  )
}
