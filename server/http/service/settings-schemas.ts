import { z } from 'zod'
import { dateTime } from '../schemas.ts'
import { planLimits, serviceSettings } from './schemas.ts'

const { shape } = serviceSettings

/** A setting that the owner may change while the service runs. */
const changeable = <Value extends z.ZodType>(value: Value) =>
  z.object({
    value: value.describe('What counts now.'),
    source: z
      .enum(['flag', 'environment', 'owner', 'default'])
      .describe('Where it comes from. A flag wins over the environment, that over what the owner has set.'),
    set_by: z
      .string()
      .nullable()
      .describe('The flag or variable that sets it, so that it cannot be changed here. Null: it can.'),
    needs_code: z
      .enum(['never', 'to_set', 'always'])
      .describe(
        'Whether a change needs a code of the machine. to_set: but not to unset it, or to take networks away.',
      ),
  })

export const settingsState = z.object({
  base_url: changeable(shape.base_url),
  allow_network: changeable(shape.allow_network),
  jobs: changeable(shape.jobs),
  plans: changeable(shape.plans),
  connections: changeable(shape.connections),
  host_connections: changeable(shape.host_connections),
  proxy: changeable(shape.proxy),
  no_proxy: changeable(shape.no_proxy),
  limit_rate: changeable(shape.limit_rate),
  rate_limit: changeable(shape.rate_limit),
  smtp: changeable(shape.smtp),
  last_change: z
    .object({ at: dateTime, key_name: z.string(), settings: z.array(z.string()) })
    .nullable()
    .describe('The last change by a request. Null: none yet.'),
})
export type SettingsJson = z.infer<typeof settingsState>

/** Their limits are those of the flags: the parsers of the settings check them. */
const count = z.int().nullish()
const text = z.string().max(4_096).nullish()

/** Null unsets: then the default counts. */
export const changeSettingsBody = z.object({
  base_url: text.describe('The address by which clients reach the service. Null: that of each request.'),
  allow_network: z
    .array(z.string().max(64))
    .max(100)
    .nullish()
    .describe('Private networks that may be fetched from, as in 192.168.0.0/16. Replaces all.'),
  jobs: count.describe('Jobs that run at once, 1 to 64. Running ones go on.'),
  plans: z
    .object({ free: planChanges(), pro: planChanges() })
    .partial()
    .nullish()
    .describe('Limits that differ from the defaults. Limits that are missing stay as they are.'),
  connections: count.describe('Connections to sources in all, 1 to 256.'),
  host_connections: count.describe('Connections to one host and port, 1 to 256.'),
  proxy: text.describe('Proxy to fetch through, http or https, with USER:PASSWORD@ if it wants them.'),
  no_proxy: text.describe('Hosts to fetch from without the proxy, separated by commas.'),
  limit_rate: count.describe('Bytes per second to fetch at most, in all, from 1000 on. Null: no limit.'),
  rate_limit: count.describe('Requests per minute and key, 0 for no limit.'),
  smtp: text.describe('Mail server, as smtps://USER:PASSWORD@HOST?from=ADDRESS. Null: no e-mail is sent.'),
  code: z
    .string()
    .max(64)
    .nullish()
    .describe('What `holdall settings code` prints on the machine of the service. It works once.'),
})
export type ChangeSettingsBody = z.infer<typeof changeSettingsBody>

/** Null for a plan: its default limits. */
function planChanges() {
  return planLimits.partial().nullable()
}

/** Whether the base URL leads to this service. */
export const baseUrlCheck = z.object({
  reaches: z.boolean(),
  problem: z.string().nullable().describe('Why it does not, as a sentence.'),
})
