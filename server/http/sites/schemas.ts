import { z } from 'zod'
import { type Header, headerNameIssue, headerValueIssue } from '../../fetching/headers/allowed-headers.ts'
import { parseOrigin } from '../../fetching/headers/origin-headers.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { dateTime, text, timeWithOffset } from '../schemas.ts'

// What clients send about sites and the headers of jobs, and what the service responds. No response has the value of a header.

const origin = text(REQUEST_LIMITS.urlCharacters)
  .transform((value) => parseOrigin(value) ?? '')
  .refine(
    (value) => value !== '',
    'must be an http or https origin without a path, as in https://example.org',
  )
  .meta({ format: 'origin' })

const headerName = z
  .string()
  .superRefine((name, context) => addIssue(context, headerNameIssue(name)))
  .meta({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" })
const headerValue = z
  .string()
  .superRefine((value, context) => addIssue(context, headerValueIssue(value)))
  .meta({ pattern: '^[ -~]*$' })

const headers = z
  .array(z.object({ name: headerName, value: headerValue }))
  .min(1)
  .superRefine((given, context) => {
    if (headerBytes(given) > REQUEST_LIMITS.headerBytes)
      addIssue(context, `must have at most ${REQUEST_LIMITS.headerBytes} characters in all`)
    const names = given.map(({ name }) => name.toLowerCase())
    names.forEach((name, index) => {
      if (names.indexOf(name) < index)
        context.addIssue({ code: 'custom', path: [index, 'name'], message: 'must not come twice' })
    })
  })
  .describe(
    'Names and values in printable ASCII, 16 KiB in all. Not those that Holdall sets itself, such as Host, Range and If-None-Match.',
  )

const siteName = text(REQUEST_LIMITS.siteNameCharacters)
  .min(1)
  .refine((name) => !/\p{C}/u.test(name), 'must not contain control characters')
const includeSubdomains = z
  .boolean()
  .nullish()
  .describe('Whether hosts below the one of the origin get the headers, too. Default false.')
const isShared = z
  .boolean()
  .nullish()
  .describe("Whether the jobs of all users may use the site, and see its name and origin. The owner's alone.")
const expiresAt = timeWithOffset.nullish()

export const createSiteBody = z.object({
  origin: origin.describe('Scheme, host and port, as in https://example.org or http://nas:8080.'),
  headers,
  name: siteName.nullish().describe('Default: the host.'),
  include_subdomains: includeSubdomains,
  expires_at: expiresAt.describe('In the future, with Z or an offset. Default: never.'),
  shared: isShared,
})
export type CreateSiteBody = z.infer<typeof createSiteBody>

export const changeSiteBody = z.object({
  origin: origin.nullish().describe('Another one needs headers, too.'),
  headers: headers.nullish().describe('Replace all headers of the site.'),
  name: siteName.nullish().describe('Null takes the host.'),
  include_subdomains: includeSubdomains.describe('To turn it on, headers are needed, too.'),
  expires_at: expiresAt.describe('Null: never.'),
  shared: isShared.describe("To turn it on, headers are needed, too. The owner's alone."),
})
export type ChangeSiteBody = z.infer<typeof changeSiteBody>

/** The headers of one job. */
export const jobHeaders = z
  .array(z.object({ origin, headers, include_subdomains: includeSubdomains }))
  .max(REQUEST_LIMITS.jobHeaderOrigins)
  .superRefine((given, context) => {
    const bytes = given.reduce((sum, each) => sum + headerBytes(each.headers), 0)
    if (bytes > REQUEST_LIMITS.jobHeaderBytes)
      addIssue(context, `must have at most ${REQUEST_LIMITS.jobHeaderBytes} characters in all`)
  })
export type JobHeadersBody = z.infer<typeof jobHeaders>

/** A site that others share: no more than what its users need to know. */
const sharedSite = z.object({
  id: z.uuid(),
  name: z.string(),
  origin: z.string(),
  shared: z.boolean(),
})

export const site = sharedSite.extend({
  include_subdomains: z.boolean(),
  header_names: z.array(z.string()),
  created_at: dateTime,
  last_used_at: dateTime.nullable().describe('Null: not yet.'),
  expires_at: dateTime.nullable().describe('Null: never.'),
  refused_at: dateTime
    .nullable()
    .describe(
      'When a source last answered 401 or 403 to these headers. Null since they were entered anew, or accepted in a later job.',
    ),
})
export type SiteJson = z.infer<typeof site>

export const listedSite = z.union([site, sharedSite])
export type ListedSiteJson = z.infer<typeof listedSite>

export const originHeaderNames = z.object({ origin: z.string(), header_names: z.array(z.string()) })
export type OriginHeaderNamesJson = z.infer<typeof originHeaderNames>

function headerBytes(given: readonly Header[]): number {
  return given.reduce((sum, { name, value }) => sum + name.length + value.length, 0)
}

function addIssue(context: z.RefinementCtx, message: string | null): void {
  if (message !== null) context.addIssue({ code: 'custom', message })
}
