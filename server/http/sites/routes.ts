import { Elysia } from 'elysia'
import { z } from 'zod'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import type { Sites } from '../../sites/sites.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES, skipBody } from '../body/json-body.ts'
import { pageMetaToJson } from '../json.ts'
import { messageResponse, operation, successBody } from '../operation.ts'
import { longPageQuery, pageMeta, uuidParams } from '../schemas.ts'
import { listedSiteToJson, siteToJson, toNewSite, toSiteChanges } from './json.ts'
import { changeSiteBody, createSiteBody, listedSite, site } from './schemas.ts'

export interface SiteRoutesOptions {
  readonly authentication: Authentication
  readonly sites: Sites
  readonly jsonBody: JsonBody
}

/** `/sites`: how the jobs of a user reach an origin. */
export function siteRoutes({ authentication, sites, jsonBody }: SiteRoutesOptions) {
  return new Elysia({ prefix: '/sites' })
    .use(authentication)
    .get(
      '',
      ({ caller, query: { limit = REQUEST_LIMITS.pageSize, cursor = null } }) => {
        const page = sites.list(caller.user, { limit, cursor })
        return {
          success: true,
          sites: page.sites.map((each) => listedSiteToJson(each, caller.user.id)),
          meta: pageMetaToJson(limit, page.total, page.nextCursor),
        }
      },
      {
        query: longPageQuery,
        detail: operation({
          tag: 'Sites',
          id: 'listSites',
          summary: 'List sites',
          description:
            'Newest first: yours, and those that the owner shares, of which only name and origin are told. For the next page ' +
            'pass meta.next_cursor as cursor.',
          success: {
            200: {
              description: 'A page.',
              json: successBody({ sites: z.array(listedSite), meta: pageMeta }),
            },
          },
        }),
      },
    )
    .post(
      '',
      ({ caller, body, status }) =>
        status(201, { success: true, site: siteToJson(sites.create(caller.user, toNewSite(body))) }),
      {
        parse: jsonBody(MAX_BODY_BYTES),
        body: createSiteBody,
        detail: operation({
          tag: 'Sites',
          id: 'createSite',
          summary: 'Save the login for an origin',
          description:
            'From now on, each request of your jobs to this origin has these headers: a key, a token or a cookie. No other origin ' +
            'gets them, also not by a redirect. Values are stored sealed, and no response has them.',
          success: { 201: { ...siteResponse, description: 'Created.' } },
          errors: ['FORBIDDEN', 'PLAN_LIMIT_EXCEEDED'],
        }),
      },
    )
    .patch(
      '/:id',
      ({ caller, params, body }) => ({
        success: true,
        site: siteToJson(sites.change(caller.user, params.id, toSiteChanges(body))),
      }),
      {
        params: uuidParams,
        parse: jsonBody(MAX_BODY_BYTES),
        body: changeSiteBody,
        detail: operation({
          tag: 'Sites',
          id: 'changeSite',
          summary: 'Change a site',
          description:
            'Headers must be given anew with another origin, with include_subdomains, or when the site is shared. Jobs that run ' +
            'already keep what they began with.',
          success: { 200: siteResponse },
          errors: ['FORBIDDEN'],
        }),
      },
    )
    .delete(
      '/:id',
      ({ caller, params }) => {
        sites.remove(caller.user, params.id)
        return { success: true, message: 'Site deleted' }
      },
      {
        params: uuidParams,
        parse: skipBody,
        detail: operation({
          tag: 'Sites',
          id: 'deleteSite',
          summary: 'Delete a site',
          success: { 200: messageResponse },
          errors: ['FORBIDDEN'],
        }),
      },
    )
}

const siteResponse = { description: 'The site.', json: successBody({ site }) }
