import { Elysia } from 'elysia'
import { z } from 'zod'
import { signInUrl } from '../../accounts/sign-in.ts'
import type { Users } from '../../admin/users.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES, skipBody } from '../body/json-body.ts'
import type { Turns } from '../body/turns.ts'
import { iso, pageMetaToJson } from '../json.ts'
import { messageResponse, operation, successBody } from '../operation.ts'
import { longPageQuery, pageMeta, uuidParams } from '../schemas.ts'
import { userToJson } from './json.ts'
import { changeUserBody, createUserBody, signInLink, type UserJson, user } from './schemas.ts'

export interface UserRoutesOptions {
  /** Lets only the owner pass. */
  readonly authentication: Authentication
  readonly users: Users
  readonly jsonBody: JsonBody
  readonly turns: Turns
  /** Where the client of the request reaches the service. */
  publicUrlOf(request: Request): string
}

/** What the owner does with users. */
export function userRoutes({ authentication, users, jsonBody, turns, publicUrlOf }: UserRoutesOptions) {
  return new Elysia({ prefix: '/users' })
    .use(authentication)
    .get(
      '',
      async ({ caller, query: { limit = REQUEST_LIMITS.pageSize, cursor = null } }) => {
        const page = users.list({ limit, cursor })
        const items: UserJson[] = []
        for (const user of page.users) {
          await turns.next(caller.user.id)
          items.push(userToJson(users.summaryOf(user)))
        }
        return { success: true, users: items, meta: pageMetaToJson(limit, page.total, page.nextCursor) }
      },
      {
        query: longPageQuery,
        detail: operation({
          tag: 'Users',
          id: 'listUsers',
          summary: 'List users',
          description: 'In the order in which they were added: the owner first.',
          success: {
            200: { description: 'A page.', json: successBody({ users: z.array(user), meta: pageMeta }) },
          },
          errors: ['FORBIDDEN'],
        }),
      },
    )
    .post(
      '',
      ({ body, status }) =>
        status(201, { success: true, user: userToJson(users.create(body.name, body.plan ?? 'pro')) }),
      {
        parse: jsonBody(MAX_BODY_BYTES),
        body: createUserBody,
        detail: operation({
          tag: 'Users',
          id: 'createUser',
          summary: 'Add a user',
          description: 'The user has no key yet: create a sign-in link.',
          success: { 201: { ...userResponse, description: 'Added.' } },
          errors: ['FORBIDDEN'],
        }),
      },
    )
    .patch(
      '/:id',
      ({ params, body }) => {
        const changed = users.change(params.id, { name: body.name ?? null, plan: body.plan ?? null })
        return { success: true, user: userToJson(changed) }
      },
      {
        params: uuidParams,
        parse: jsonBody(MAX_BODY_BYTES),
        body: changeUserBody,
        detail: operation({
          tag: 'Users',
          id: 'changeUser',
          summary: 'Rename a user, or change the plan',
          description: 'A new plan applies from the next request. Running jobs keep their limits.',
          success: { 200: userResponse },
          errors: ['FORBIDDEN'],
        }),
      },
    )
    .delete(
      '/:id',
      async ({ params }) => {
        await users.remove(params.id)
        return { success: true, message: 'User deleted' }
      },
      {
        params: uuidParams,
        parse: skipBody,
        detail: operation({
          tag: 'Users',
          id: 'deleteUser',
          summary: 'Delete a user with all keys, jobs and archives',
          description: 'Running jobs are stopped. The owner cannot be deleted.',
          success: { 200: messageResponse },
          errors: ['FORBIDDEN'],
        }),
      },
    )
    .post(
      '/:id/sign-in-link',
      ({ params, request, status }) => {
        const { token, expiresAt } = users.issueSignInToken(params.id)
        const url = signInUrl(publicUrlOf(request), token)
        return status(201, { success: true, url, expires_at: iso(expiresAt) })
      },
      {
        params: uuidParams,
        parse: jsonBody(MAX_BODY_BYTES),
        detail: operation({
          tag: 'Users',
          id: 'createSignInLink',
          summary: 'Create a sign-in link',
          description: 'It works once, for half an hour.',
          success: {
            201: {
              description: 'The link, shown only once.',
              json: successBody(signInLink.shape),
            },
          },
          errors: ['FORBIDDEN', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
        }),
      },
    )
}

const userResponse = { description: 'The user.', json: successBody({ user: user }) }
