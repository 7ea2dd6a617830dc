import { Elysia } from 'elysia'
import { ServiceError } from '../../errors.ts'
import { checkBaseUrl } from '../../settings/base-url-check.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES, skipBody } from '../body/json-body.ts'
import { operation, successBody } from '../operation.ts'
import { settingsStateToJson, toSettingChanges } from './json.ts'
import { baseUrlCheck, changeSettingsBody, settingsState } from './settings-schemas.ts'

export interface SettingsRoutesOptions {
  /** Lets only the owner pass. */
  readonly authentication: Authentication
  readonly settings: Settings
  readonly jsonBody: JsonBody
  /** Random, new at each start. */
  readonly runId: string
  /** Where the client of the request reaches the service. */
  originOf(request: Request): string
}

/** What the owner sets while the service runs. */
export function settingsRoutes(options: SettingsRoutesOptions) {
  const { authentication, settings, jsonBody, runId, originOf } = options
  const state = (headers: Record<string, string | number>) => {
    headers.etag = `"${settings.version}"`
    return { success: true, settings: settingsStateToJson(settings) }
  }

  return new Elysia({ prefix: '/service/settings' })
    .use(authentication)
    .get('', ({ set }) => state(set.headers), {
      detail: operation({
        tag: 'Service',
        id: 'getSettings',
        summary: 'Get the settings that the owner may change',
        description:
          'For the owner. Each with its value, where that comes from, and whether it can be changed here. Passwords are never told. ' +
          'The ETag is for If-Match of a change.',
        success: { 200: settingsResponse },
        errors: ['FORBIDDEN'],
      }),
    })
    .patch(
      '',
      ({ body, caller, request, set }) => {
        assertOwnPage(request, originOf(request))
        settings.change({
          changes: toSettingChanges(body),
          code: body.code ?? null,
          version: matchedVersion(request.headers.get('if-match'), settings.version),
          keyName: caller.keyName,
        })
        return state(set.headers)
      },
      {
        parse: jsonBody(MAX_BODY_BYTES),
        body: changeSettingsBody,
        detail: operation({
          tag: 'Service',
          id: 'changeSettings',
          summary: 'Change settings',
          description:
            'For the owner. All of it applies at once, or none: it is written to the data directory first, and counts after a restart, too. ' +
            'Null unsets. New jobs begin with it; running jobs continue from their checkpoints with another proxy and other networks, and ' +
            'keep the limits of their plan. What could expose the network of the machine or redirect its users needs a code that ' +
            '`holdall settings code` prints on it. With If-Match, a change that others have made meanwhile is not overwritten.',
          success: { 200: settingsResponse },
          errors: ['FORBIDDEN', 'PRECONDITION_FAILED'],
        }),
      },
    )
    .post(
      '/check-base-url',
      async ({ request }) => {
        assertOwnPage(request, originOf(request))
        const { baseUrl, ca } = settings.current
        if (baseUrl === null)
          throw new ServiceError(
            'INVALID_REQUEST',
            'There is no base URL: each link has the address of its request.',
          )
        return { success: true, ...(await checkBaseUrl(baseUrl, runId, ca)) }
      },
      {
        parse: skipBody,
        detail: operation({
          tag: 'Service',
          id: 'checkBaseUrl',
          summary: 'Check whether the base URL leads to this service',
          description: 'For the owner. The service requests its own health there, from its own machine.',
          success: { 200: { description: 'The result.', json: successBody(baseUrlCheck.shape) } },
          errors: ['FORBIDDEN'],
        }),
      },
    )
}

const settingsResponse = {
  description: 'The settings, with an ETag.',
  json: successBody({ settings: settingsState }),
}

/** The version that `If-Match` asks for (RFC 9110, section 13.1.1): the current one if it is among several; null for any. */
function matchedVersion(header: string | null, current: string): string | null {
  if (header === null || header.trim() === '*') return null
  const versions = header.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1'))
  return versions.includes(current) ? current : (versions[0] ?? '')
}

/**
 * Pages of other origins can't send a key, since no response allows them to. This refuses them even if one had it.
 * @throws ServiceError `FORBIDDEN`
 */
function assertOwnPage({ headers }: Request, ownOrigin: string): void {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  // Without HTTPS, browsers tell only the origin. Its scheme may be that of a proxy in front of the service.
  const isOwn =
    site === null
      ? origin === null || URL.parse(origin)?.host === URL.parse(ownOrigin)?.host
      : site === 'same-origin' || site === 'none'
  if (!isOwn) throw new ServiceError('FORBIDDEN', 'Pages of other sites may not change settings.')
}
