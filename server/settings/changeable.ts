import { z } from 'zod'
import { plansFile } from '../accounts/plans-file.ts'
import { type Config, SETTINGS, type Setting, type SettingName } from '../config/config.ts'
import { describeIssue } from '../text/issue-messages.ts'
import { isObject } from '../text/parse-json.ts'

/** The settings that the owner may change while the service runs. */
export type ChangeableName = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { readonly change: object } ? Name : never
}[SettingName]

/** What may be changed, with its names and its parser. */
export interface ChangeableSetting extends Setting {
  readonly name: ChangeableName
  readonly change: NonNullable<Setting['change']>
}

/** In the order of the command line. */
export const CHANGEABLE: readonly ChangeableSetting[] = Object.entries<Setting>(SETTINGS).flatMap(
  ([name, setting]) => {
    const { change } = setting
    return change !== undefined && isChangeable(name) ? [{ ...setting, name, change }] : []
  },
)

/** The name of a setting in requests and in messages about them. */
export function fieldOf({ flag }: Pick<Setting, 'flag'>): string {
  return flag.replaceAll('-', '_')
}

/** What the owner has set: for each setting what a flag would say, and of the plans the limits that differ. */
export type OwnerTexts = Readonly<Partial<Record<ChangeableName, unknown>>>

/** The values of such texts. A setting without a text has none. */
export type OwnerValues = { readonly [Name in ChangeableName]?: Config[Name] | undefined }

/**
 * The limits of plans that differ from the defaults, after a change of some of them. A plan that is null has its defaults again. Whether
 * they are limits at all, `parseOwnerTexts` checks.
 */
export function changedPlans(before: unknown, changes: unknown): unknown {
  if (!isObject(changes)) return changes
  const plans: Record<string, unknown> = isObject(before) ? { ...before } : {}
  for (const [name, limits] of Object.entries(changes)) {
    const known = plans[name]
    if (limits === null) delete plans[name]
    else if (isObject(limits)) plans[name] = { ...(isObject(known) && known), ...limits }
  }
  return plans
}

/** A problem of one setting, in words that can follow its name. */
export interface SettingIssue {
  readonly name: ChangeableName
  /** Where in its value. */
  readonly path: readonly string[]
  readonly message: string
}

/** Parses texts by the parsers of the flags. A number is taken for its digits. */
export function parseOwnerTexts(
  texts: OwnerTexts,
): { readonly values: OwnerValues } | { readonly issues: readonly SettingIssue[] } {
  const asTexts = Object.entries(texts).map(([name, text]) => [
    name,
    typeof text === 'number' ? String(text) : text,
  ])
  // Compiling a schema would take longer than using it once.
  const options = { jitless: true, error: describeIssue }
  const parsed = ownerValues().safeParse(Object.fromEntries(asTexts), options)
  if (parsed.success) return { values: parsed.data }
  return {
    issues: parsed.error.issues.flatMap(({ path: [name, ...path], message }) =>
      typeof name === 'string' && isChangeable(name) ? [{ name, path: path.map(String), message }] : [],
    ),
  }
}

/** Made only for a service with such settings: making it would cost every other start a millisecond. */
function ownerValues() {
  // Without their defaults, which would hide that a setting is not there.
  return z.object({
    baseUrl: z.optional(SETTINGS.baseUrl.schema.unwrap()),
    allowNetworks: z.optional(SETTINGS.allowNetworks.schema.unwrap()),
    jobs: z.optional(SETTINGS.jobs.schema.unwrap()),
    plans: z.optional(plansFile()),
    connections: z.optional(SETTINGS.connections.schema.unwrap()),
    hostConnections: z.optional(SETTINGS.hostConnections.schema.unwrap()),
    proxy: z.optional(SETTINGS.proxy.schema.unwrap()),
    noProxy: z.optional(SETTINGS.noProxy.schema.unwrap()),
    limitRate: z.optional(SETTINGS.limitRate.schema.unwrap()),
    rateLimit: z.optional(SETTINGS.rateLimit.schema.unwrap()),
    smtp: z.optional(SETTINGS.smtp.schema.unwrap()),
  } satisfies Record<ChangeableName, z.ZodType>)
}

function isChangeable(name: string): name is ChangeableName {
  return Object.hasOwn(SETTINGS, name)
}
